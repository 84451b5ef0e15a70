/** Mutants of code that runs as modules are loaded, or before the tests (D566): each has all tests in a process of its own. */
import { createVitest } from 'vitest/node'

/** Read by the code that Stryker instruments. */
const activeMutant = '__STRYKER_ACTIVE_MUTANT__'

export async function runOutside(ids: readonly string[], onResult: (id: string, hasFailed: boolean) => void) {
  if (ids.length === 0) return
  const vitest = await createVitest('test', {
    config: 'proof/mutation/vitest.config.ts',
    watch: false,
    bail: 1,
    reporters: [{}],
    onConsoleLog: () => false,
  })
  /** What failed with the mutant. */
  const failuresWith = async (id: string) => {
    for (const { config } of vitest.projects) config.env = { ...config.env, [activeMutant]: id }
    await vitest.start()
    const { state } = vitest
    const failed = state.getFiles().filter(({ result }) => result?.state === 'fail')
    const errors = [...state.errorsSet, ...failed.map(({ name }) => name)]
    state.filesMap.clear()
    state.errorsSet.clear()
    return errors
  }
  try {
    const ownFailures = await failuresWith('none')
    if (ownFailures.length > 0) throw new Error(`without a mutant failed: ${ownFailures.join(', ')}`)
    for (const id of ids) onResult(id, (await failuresWith(id)).length > 0)
  } finally {
    await vitest.close()
    process.exitCode = 0
  }
}
