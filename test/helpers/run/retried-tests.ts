/** A reporter that names, at the end of a run, every test that was tried more than once: each of them hides a race. */
import type { Reporter, TestModule } from 'vitest/node'

export function reportRetriedTests(
  write = (line: string) => void process.stdout.write(`${line}\n`),
): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = modules.flatMap(retriedIn)
      if (lines.length === 0) return
      write(`\nRETRIED (${lines.length}): these failed at first. Mend the race that they hide.`)
      for (const line of lines) write(`  ${line}`)
    },
  }
}

function retriedIn(module: Pick<TestModule, 'children' | 'relativeModuleId'>): string[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount === 0) return []
    const outcome = test.ok() ? 'passed' : 'failed'
    const [first] = test.result().errors ?? []
    const reason = first?.message.split('\n', 1)[0] ?? 'no reason given'
    return [
      `${module.relativeModuleId} > ${test.fullName}: ${outcome} at attempt ${retryCount + 1}, at first: ${reason}`,
    ]
  })
}
