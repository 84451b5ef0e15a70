/** The log of a run (D566), a line of JSON for each step: a run that was interrupted goes on where it ended. */

export type AttemptResult = 'passed' | 'failed' | 'timed out'

export type Line =
  /** `running`: before the result; the last line of a process that hung. */
  | { tried: string; test: string; result: AttemptResult | 'running' }
  | { test: string; reached: string[] }
  /** Mutants in code that ran while modules were loaded, in hooks, or between tests. */
  | { outside: string[] }
  /** A test that fails by itself, or passes only once. */
  | { unusable: string; reason: string }
  /** After this test the rest of its file was left to the next process. */
  | { spoiled: string }

export function parseLog(text: string): Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

export type Summary = {
  failed: Set<string>
  timedOut: Set<string>
  /** Mutants by test, and those that each test passed with. */
  reached: Map<string, string[]>
  passed: Set<string>
  outside: Set<string>
  unusable: Map<string, string>
}

/** How `passed` names a mutant and a test. */
export const pairOf = (mutant: string, test: string) => `${mutant} ${test}`

export function summaryOf(lines: readonly Line[]): Summary {
  const summary: Summary = {
    failed: new Set(),
    timedOut: new Set(),
    reached: new Map(),
    passed: new Set(),
    outside: new Set(),
    unusable: new Map(),
  }
  for (const line of lines) {
    if ('unusable' in line) summary.unusable.set(line.unusable, line.reason)
    else if ('outside' in line) for (const id of line.outside) summary.outside.add(id)
    else if ('reached' in line) summary.reached.set(line.test, line.reached)
    else if ('spoiled' in line || line.result === 'running') continue
    else if (line.result === 'passed') summary.passed.add(pairOf(line.tried, line.test))
    else summary[line.result === 'failed' ? 'failed' : 'timedOut'].add(line.tried)
  }
  return summary
}
