/** Work that waits for a database that is busy or away for a moment: a start (D520), the end of a call that verifies a number (D188). */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from './database-errors.ts'

const patienceMs = 30_000
const pauseMs = 250

/** Runs the work, which may be repeated, until it succeeds, fails for another reason, or half a minute has passed. */
export async function untilUp<T>(work: () => Promise<T>, limits = { patienceMs, pauseMs }): Promise<T> {
  for (const began = performance.now(); ; await sleep(limits.pauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || performance.now() - began > limits.patienceMs) throw error
    }
  }
}
