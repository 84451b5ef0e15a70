/** Lets a request wait for an event of its call. The publisher decides whether before or after it is stored. */
import type { CallEvent } from '../engine/port.ts'
import type { Timers } from '../kit/timers.ts'

type Seen<Type> = { callId: string; type: Type }

/** `Type`: events of calls, and what else a process waits for. */
export function createEventWaiter<Type extends string = CallEvent['type']>(timers: Timers) {
  type SeenEvent = Seen<Type>
  type Waiting = { accepts: (event: SeenEvent) => boolean; resolve: (event: SeenEvent) => void }
  const waiting = new Map<string, Set<Waiting>>()

  /** The first event from now on, of this type or of any; undefined if none came within `ms`. */
  function waitFor(callId: string, ms: number, type?: Type): Promise<SeenEvent | undefined> {
    return new Promise((resolve) => {
      const ofCall = waiting.get(callId) ?? new Set()
      const finish = (event?: SeenEvent) => {
        timer.cancel()
        ofCall.delete(mine)
        if (ofCall.size === 0) waiting.delete(callId)
        resolve(event)
      }
      const accepts = (event: SeenEvent) => type === undefined || event.type === type
      const mine: Waiting = { accepts, resolve: finish }
      const timer = timers.after(ms, () => finish())
      waiting.set(callId, ofCall.add(mine))
    })
  }

  function publish(event: SeenEvent) {
    for (const one of waiting.get(event.callId) ?? []) if (one.accepts(event)) one.resolve(event)
  }

  return { waitFor, publish }
}
export type EventWaiter = ReturnType<typeof createEventWaiter<CallEvent['type']>>
