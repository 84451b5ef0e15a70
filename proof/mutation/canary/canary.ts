/** Canary of the mutation tests: what becomes of its mutants is known, so that a set-up that tests nothing is noticed. */

/** Evaluated when the module is loaded: mutants here are static, and are tested only if the module is loaded again. */
const steps = [1, 2].map((step) => step * 10)

export function stepAfter(value: number): number | undefined {
  return steps.find((step) => step > value)
}

/** Its mutant `value <= min` does the same: no test can kill it. */
export function missingTo(min: number, value: number): number {
  return value < min ? min - value : 0
}
