/**
 * The time of each call (D224): it begins with the time of the service and then only elapses, so that a clock that is
 * set forward or back neither lengthens nor shortens a call.
 */
import type { CallEvent } from '../engine/port.ts'
import type { SteadyClock } from '../kit/clock.ts'

export function createCallTimes(clock: SteadyClock) {
  /** Start of the monotonic clock, in the time of the call. */
  const origins = new Map<string, number>()

  return {
    onEvent({ type, callId, at }: CallEvent) {
      if (type === 'ended') origins.delete(callId)
      // D345: a transfer may be of a call of another node, whose end is not reported here.
      else if (type !== 'transferred') origins.set(callId, at.getTime() - clock.elapsed())
    },
    now(callId: string): Date {
      const origin = origins.get(callId)
      return origin === undefined ? clock.now() : new Date(origin + clock.elapsed())
    },
  }
}
