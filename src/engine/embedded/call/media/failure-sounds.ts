/**
 * D270: why the destination cannot be reached, played to the agent whose phone was rung first: an announcement of the
 * operator, or else the tone of a Brazilian exchange.
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { PlayRequest } from '../../../../media/relay/player.ts'
import type { Tone } from '../../../../media/sound/tone.ts'

/** The names of sounds in the media threads. */
export const announcementName = (cause: Cause | 'default') => `announcement ${cause}`

export type FailureSound = { request: PlayRequest; ms: number }

type Options = {
  /** How long a tone sounds; 0 ends the call at once. */
  toneSeconds: number
  /** Length of each announcement in ms, by cause. */
  announcements: ReadonlyMap<Cause | 'default', number>
}

const busy: Tone = { hertz: [425], cadence: [250, 250] }
const congestion: Tone = { hertz: [425], cadence: [250, 250, 750, 250] }
const busyCauses = new Set<Cause>(['USER_BUSY', 'NO_ANSWER', 'NO_USER_RESPONSE', 'CALL_REJECTED'])

/** The sound for a cause; undefined if the agent is to hear none. */
export function createFailureSounds({ toneSeconds, announcements }: Options) {
  return (cause: Cause): FailureSound | undefined => {
    for (const name of [cause, 'default'] as const) {
      const ms = announcements.get(name)
      if (ms !== undefined) return { request: { sound: announcementName(name) }, ms }
    }
    if (toneSeconds === 0) return undefined
    const ms = toneSeconds * 1000
    return { request: { tone: busyCauses.has(cause) ? busy : congestion, durationMs: ms }, ms }
  }
}
