/** Whether something that is tried now and then works, judged by its last attempts. */
import type { Timers } from './timers.ts'

export type Health = 'working' | 'failing'

/** One failure proves nothing. */
const failuresInRow = 3
/** Older attempts say nothing about now. */
const recentMs = 600_000

export function createOutcomes(timers: Pick<Timers, 'now'>) {
  let failures = 0
  let lastAt: number | undefined

  function record(succeeded: boolean) {
    failures = succeeded ? 0 : failures + 1
    lastAt = timers.now()
  }

  return {
    record,
    /** Records whether the promise resolves, and returns it. */
    async watch<T>(attempt: Promise<T>): Promise<T> {
      try {
        const result = await attempt
        record(true)
        return result
      } catch (error) {
        record(false)
        throw error
      }
    },
    /** Undefined without a recent attempt, and after one or two failures. */
    health(): Health | undefined {
      if (lastAt === undefined || timers.now() - lastAt > recentMs) return undefined
      if (failures === 0) return 'working'
      return failures >= failuresInRow ? 'failing' : undefined
    },
  }
}
export type Outcomes = ReturnType<typeof createOutcomes>
