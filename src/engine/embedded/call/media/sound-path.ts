/**
 * D420: a phone that answers, and then fails, must not keep the other party on the line: a page that crashed, or a phone whose
 * sound goes astray.
 *
 *   answered ─▶ DTLS handshake, if it has one ─▶ connected ─▶ first packet
 *                       └─────────────────────────────┴──▶ over, not charged
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { Sound } from './sound.ts'

/** How long ICE and the DTLS handshake may take. Browsers need a fraction of a second, over a bad network a few. */
const connectMs = 10_000
/** How long a phone may take to send its first packet, at the most. Calls that end so are free: nobody may talk longer. */
const maxUnheardMs = 30_000

type Deps = {
  timers: Timers
  /** The media time-out. */
  mediaSeconds: number
  sound(): Pick<Sound, 'isConnected' | 'isUnheard'> | undefined
  /** Whether the side is a phone; a carrier's silence says nothing about the sound path. */
  isPhone(side: SideName): boolean
  finish(cause: Cause, by: 'service'): void
}

export function createSoundPaths({ timers, mediaSeconds, sound, isPhone, finish }: Deps) {
  const running = new Set<Timer>()
  const connecting = new Map<SideName, { timer: Timer; run: () => void }>()

  function after(ms: number, run: () => void): Timer {
    const timer = timers.after(ms, run)
    running.add(timer)
    return timer
  }

  async function checkHeard(side: SideName) {
    if (await sound()?.isUnheard(side)) finish('MEDIA_TIMEOUT', 'service')
  }

  return {
    /** The side has answered, or was answered. `run` is called once its sound can flow: at once, if there is no handshake. */
    begin(side: SideName, run: () => void = () => {}) {
      if (!isPhone(side)) return run()
      after(Math.min(mediaSeconds * 1000, maxUnheardMs), () => void checkHeard(side))
      if (sound()?.isConnected(side) !== false) return run()
      connecting.get(side)?.timer.cancel()
      connecting.set(side, { timer: after(connectMs, () => finish('MEDIA_TIMEOUT', 'service')), run })
    },
    onConnected(side: SideName) {
      const waiting = connecting.get(side)
      connecting.delete(side)
      waiting?.timer.cancel()
      waiting?.run()
    },
    close() {
      for (const timer of running) timer.cancel()
    },
  }
}
