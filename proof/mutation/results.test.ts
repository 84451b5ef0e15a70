import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areas, canary } from './areas.ts'
import { canaryFaults, type Mutant, scoreOf, survivorsOf } from './results.ts'

const mutant = (status: string, replacement = 'false', more: Partial<Mutant> = {}): Mutant => ({
  fileName: 'a.ts',
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } },
  ...more,
})
const healthy = [
  ...Array.from({ length: 12 }, () => mutant('Killed')),
  mutant('Killed', '[]', { static: true }),
  mutant('Survived', 'value <= min'),
]

test('D559: every pattern of an area finds a file', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const { mutated, tests } of [canary, ...Object.values(areas)])
    for (const pattern of [...mutated, ...tests]) {
      expect(globSync(pattern.replace(/^!/, ''), { cwd: root }).length, pattern).toBeGreaterThan(0)
    }
})

test('D559: the score counts mutants without a test, and leaves out those that could not run', () => {
  const mutants = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'RuntimeError'].map((one) =>
    mutant(one),
  )
  expect(scoreOf(mutants)).toEqual({ killed: 2, timedOut: 1, survived: 1, uncovered: 1, percent: 60 })
  expect(scoreOf([]).percent).toBe(0)
})

test('D559: a survivor is listed with the code that it replaces', () => {
  const text = 'first\nif (a > b) return\n'
  expect(survivorsOf([mutant('Survived'), mutant('Killed')], () => text)).toEqual([
    'a.ts:2 ConditionalExpression: a > b → false (survived)',
  ])
})

test('D559: a canary as it must be has no fault', () => {
  expect(canaryFaults(healthy)).toEqual([])
})

test.each([
  ['a mutant that no test noticed', [...healthy, mutant('Survived')], "the canary's mutant false: Survived"],
  ['a mutant without a test', [...healthy, mutant('NoCoverage')], "the canary's mutant false: NoCoverage"],
  ['no survivor', healthy.slice(0, -1), 'no mutant of the canary survived: any test fails'],
  ['no static mutant', healthy.filter((one) => !one.static), 'no static mutant of the canary was killed'],
  ['few mutants', healthy.slice(10), 'only 4 mutants of the canary'],
])('D559: the canary reports %s', (_, mutants, fault) => {
  expect(canaryFaults(mutants)).toContain(fault)
})
