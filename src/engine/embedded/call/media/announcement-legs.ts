/**
 * D270: legs of agents that listen to why a call failed, after the call has ended. A phone lingers in one call at most, and
 * in none once it is called again: a second call must not find it busy.
 */
import type { Timers } from '../../../../kit/timers.ts'
import type { ExtensionName } from '../../../port.ts'

const keyOf = ({ number, domain }: ExtensionName) => `${number}@${domain}`

export function createAnnouncementLegs(timers: Timers) {
  /** How to end each, by extension. */
  const legs = new Map<string, () => void>()

  function endFor(extension: ExtensionName) {
    legs.get(keyOf(extension))?.()
  }

  return {
    /** Calls `end` once: after `ms`, when the phone is called again, or by the returned function. */
    add(extension: ExtensionName, ms: number, end: () => void): () => void {
      endFor(extension)
      const key = keyOf(extension)
      const timer = timers.after(ms, finish)
      function finish() {
        timer.cancel()
        if (legs.get(key) !== finish) return
        legs.delete(key)
        end()
      }
      legs.set(key, finish)
      return finish
    },
    endFor,
    endAll() {
      for (const end of [...legs.values()]) end()
    },
  }
}
export type AnnouncementLegs = ReturnType<typeof createAnnouncementLegs>
