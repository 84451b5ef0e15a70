/** A violation is easier to look into in a run with fewer calls (D555). */
import type { Outcome } from './simulate-process.ts'

const fewer = [100, 400, 1_600]

/**
 * The first run of the same seed with fewer calls that has violations too; undefined if none has. `simulate` makes a run of so many
 * calls.
 */
export async function findSmallerRun(
  { calls }: Pick<Outcome, 'calls'>,
  simulate: (calls: number) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  for (const some of fewer.filter((one) => one < calls)) {
    const outcome = await simulate(some)
    if (outcome.found.length > 0) return outcome
  }
  return undefined
}
