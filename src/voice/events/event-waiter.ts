/** Lets an API request wait until an event of its call has been stored. */
import type { CallEvent } from '../../engine/port.ts'
import type { Timers } from '../../kit/timers.ts'

type StoredEvent = Pick<CallEvent, 'callId' | 'type'>
type Waiting = { accepts: (event: StoredEvent) => boolean; resolve: (event: StoredEvent) => void }

export function createEventWaiter(timers: Timers) {
  const waiting = new Map<string, Set<Waiting>>()

  /** The first event from now on, of this type or of any; undefined if none was stored within `ms`. */
  function waitFor(callId: string, ms: number, type?: CallEvent['type']): Promise<StoredEvent | undefined> {
    return new Promise((resolve) => {
      const ofCall = waiting.get(callId) ?? new Set()
      const finish = (event?: StoredEvent) => {
        timer.cancel()
        ofCall.delete(mine)
        if (ofCall.size === 0) waiting.delete(callId)
        resolve(event)
      }
      const accepts = (event: StoredEvent) => type === undefined || event.type === type
      const mine: Waiting = { accepts, resolve: finish }
      const timer = timers.after(ms, () => finish())
      waiting.set(callId, ofCall.add(mine))
    })
  }

  function publish(event: StoredEvent) {
    for (const one of waiting.get(event.callId) ?? []) if (one.accepts(event)) one.resolve(event)
  }

  return { waitFor, publish }
}
export type EventWaiter = ReturnType<typeof createEventWaiter>
