/**
 * D123: a call ends when both sides are silent. One side alone may be silent for long: it is probed by a re-INVITE that
 * repeats its session, and a side that does not respond has gone.
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { Leg } from '../../../../sip/dialog/leg.ts'
import type { Sound } from './sound.ts'

/** How often a silent side is probed. */
const probeMs = 60_000

type Deps = {
  timers: Timers
  isTalking(): boolean
  sound(): Pick<Sound, 'offer'> | undefined
  legOf(side: SideName): Pick<Leg, 'offer'> | undefined
  finish(cause: Cause, by: 'service'): void
}

export function createSilenceProbe({ timers, isTalking, sound, legOf, finish }: Deps) {
  let next: Timer | undefined

  /** The set of silent sides changed. */
  function onSilence(silent: ReadonlySet<SideName>) {
    next?.cancel()
    if (!isTalking() || silent.size === 0) return
    if (silent.size === 2) return finish('MEDIA_TIMEOUT', 'service')
    const ours = sound()
    for (const side of silent) if (ours) void legOf(side)?.offer(ours.offer(side))
    next = timers.after(probeMs, () => onSilence(silent))
  }

  return { onSilence, stop: () => next?.cancel() }
}
