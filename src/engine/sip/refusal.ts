import type { Header } from './header.ts'

/** 400 malformed, 505 another version of SIP, 513 too large. */
export type RefusalStatus = 400 | 505 | 513

/** As much of a request as a response is made from. */
export type Answerable = { readonly method: string; readonly headers: readonly Header[] }

/**
 * The only thing that reading a message throws. It can be answered with its status if `request` is there;
 * without it nobody could be told (a response, an ACK, no Via…) and the message is dropped in silence.
 */
export class SipRefusal extends Error {
  override readonly name = 'SipRefusal'
  readonly status: RefusalStatus
  readonly request: Answerable | undefined

  constructor(status: RefusalStatus, reason: string, request?: Answerable) {
    // Under a flood of nonsense, stack traces that nobody reads would cost more than the reading.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(reason)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.request = request
  }
}

export function malformed(reason: string): SipRefusal {
  return new SipRefusal(400, reason)
}
