/** Waits for what another program does in its own time. */
import { setTimeout as pause } from 'node:timers/promises'

/** Until it returns something; what it throws is the reason of a failure. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  { within = 30_000, every = 100, what = 'what was waited for' } = {},
): Promise<T> {
  const end = performance.now() + within
  let reason: unknown
  while (performance.now() < end) {
    try {
      const found = await look()
      if (found !== undefined) return found
      reason = undefined
    } catch (error) {
      reason = error
    }
    await pause(every)
  }
  throw new Error(`${what} did not come within ${within / 1000} s`, { cause: reason })
}
