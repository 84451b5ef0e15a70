/**
 * D318: a phone whose connection was lost in a call, as when the page of a web phone is loaded again. The call waits for
 * it, and its other side listens to music. The phone comes back by an INVITE with Replaces (RFC 3891), on a new leg.
 *
 *   talking ─▶ away ─▶ talking
 *               └──▶ over, when the time is up
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { IncomingLeg, Leg, LegEnd, LegListener } from '../../../../sip/dialog/leg.ts'
import type { Sound } from '../media/sound.ts'
import { causeOfEnd, reasonHeaders } from '../sip-causes.ts'

type Deps = {
  timers: Timers
  /** How long a call waits; 0 is not at all. */
  seconds: number
  isTalking(): boolean
  sound(): Pick<Sound, 'answer' | 'leave'> | undefined
  listener(side: SideName): LegListener
  /** Hangs up the leg that the side had. */
  replaceLeg(side: SideName, next: { leg: Leg; end(cause: Cause): void }): void
  /** The sound of the new leg must begin to flow (D420). */
  onBack(side: SideName): void
  finish(cause: Cause, by: SideName): void
}

export function createReconnects(deps: Deps) {
  const { timers, seconds, isTalking, sound, listener, replaceLeg, onBack, finish } = deps
  const away = new Map<SideName, Timer>()

  function end(side: SideName) {
    away.get(side)?.cancel()
    away.delete(side)
  }

  return {
    /** The leg of a side has ended. True if the call waits for its phone. */
    begin(side: SideName, ended: LegEnd): boolean {
      if (ended.why !== 'disconnected' || seconds === 0 || !isTalking()) return false
      sound()?.leave(side)
      away.set(
        side,
        timers.after(seconds * 1000, () => finish(causeOfEnd(ended), side)),
      )
      return true
    },
    /** Its phone calls again: the new leg takes the place of the old one, which may not have ended yet. */
    comeBack(side: SideName, leg: IncomingLeg) {
      if (!isTalking()) return leg.refuse(481)
      const ours = leg.remoteOffer && sound()?.answer(side, leg.remoteOffer, leg.flow)
      if (!ours) return leg.refuse(488)
      end(side)
      const taken = listener(side)
      leg.listen({ ...taken, onCancelled: () => taken.onEnded({ why: 'disconnected' }) })
      replaceLeg(side, { leg, end: (cause) => leg.hangUp(reasonHeaders(cause)) })
      leg.accept(ours)
      onBack(side)
    },
    /** Another call has the place of the side (D282). */
    end,
    close() {
      for (const side of [...away.keys()]) end(side)
    },
  }
}
