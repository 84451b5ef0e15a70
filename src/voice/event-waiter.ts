/** Waiting for what has been stored of a call, for a while. */
import type { CallEvent } from '../engine/port.ts'
import type { Timers } from '../kit/timers.ts'

type Waiting = { wants: (event: CallEvent) => boolean; hear: (event: CallEvent) => void }

export function createNews(timers: Timers) {
  const waiting = new Map<string, Set<Waiting>>()

  /** The first event of that kind, or of any, from now on; undefined when none was stored in time. */
  function next(callId: string, ms: number, type?: CallEvent['type']): Promise<CallEvent | undefined> {
    return new Promise((resolve) => {
      const ofCall = waiting.get(callId) ?? new Set()
      const settle = (event?: CallEvent) => {
        timer.cancel()
        ofCall.delete(mine)
        if (ofCall.size === 0) waiting.delete(callId)
        resolve(event)
      }
      const mine = { wants: (event: CallEvent) => type === undefined || event.type === type, hear: settle }
      const timer = timers.after(ms, () => settle())
      waiting.set(callId, ofCall.add(mine))
    })
  }

  function tell(event: CallEvent) {
    for (const one of waiting.get(event.callId) ?? []) if (one.wants(event)) one.hear(event)
  }

  return { next, tell }
}
export type News = ReturnType<typeof createNews>
