/** What media says no to, for the caller to tell apart: `ports used up` is congestion, the rest are mistakes or loss. */
export type MediaReason =
  | 'ports used up'
  | 'call already open'
  | 'no such call'
  | 'media busy'
  | 'media lost'
  | 'media stopped'

export class MediaRefusal extends Error {
  readonly reason: MediaReason
  constructor(reason: MediaReason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
