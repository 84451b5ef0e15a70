import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areas, areasOf, canary } from './areas.ts'
import { type Line, summaryOf } from './in-process-log.ts'
import { canaryFaults, type Mutant, resultsOf, scoreOf, survivorsOf, unusedFiles } from './results.ts'

const mutant = (status: Mutant['status'], replacement = 'false', more: Partial<Mutant> = {}): Mutant => ({
  id: '0',
  fileName: 'a.ts',
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line: 1, column: 4 }, end: { line: 1, column: 9 } },
  isOutside: false,
  ...more,
})
const healthy = [
  ...Array.from({ length: 12 }, () => mutant('Killed')),
  mutant('Killed', '[]', { isOutside: true }),
  mutant('Survived', 'value <= min'),
]

test('D559: every pattern of an area finds a file', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const { mutated, tests } of [canary, ...Object.values(areas)])
    for (const pattern of [...mutated, ...tests]) {
      expect(globSync(pattern.replace(/^!/, ''), { cwd: root }).length, pattern).toBeGreaterThan(0)
    }
})

test('D559: an area has its parts', () => {
  expect(areasOf('billing')).toEqual(['billing/prices', 'billing/charges'])
  expect(areasOf('billing/charges')).toEqual(['billing/charges'])
  expect(areasOf('bill')).toEqual([])
})

test('D559: the score counts mutants without a test', () => {
  const statuses = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage'] as const
  expect(scoreOf(statuses.map((one) => mutant(one)))).toEqual({
    killed: 2,
    timedOut: 1,
    survived: 1,
    uncovered: 1,
    percent: 60,
  })
  expect(scoreOf([]).percent).toBe(0)
})

test('D566: a mutant is killed by the first test that fails with it, in tests or outside of them', () => {
  const log: Line[] = [
    { outside: ['1', '2', '3'] },
    { test: 'a', reached: ['2', '4', '5', '6'] },
    { tried: '2', test: 'a', result: 'passed' },
    { tried: '4', test: 'a', result: 'running' },
    { tried: '4', test: 'a', result: 'timed out' },
    { tried: '5', test: 'a', result: 'failed' },
    { spoiled: 'a' },
    { test: 'b', reached: ['2', '5'] },
    { tried: '5', test: 'b', result: 'passed' },
    { tried: '6', test: 'a', result: 'running' },
    { unusable: 'c', reason: 'passes only once' },
    { tried: '1', test: 'all tests', result: 'failed' },
    { tried: '3', test: 'all tests', result: 'passed' },
  ]
  const mutants = ['1', '2', '3', '4', '5', '6', '7'].map((id) => mutant('Survived', 'false', { id }))
  expect(resultsOf(mutants, summaryOf(log)).map(({ status, isOutside }) => [status, isOutside])).toEqual([
    ['Killed', true],
    ['Survived', false],
    ['Survived', true],
    ['Timeout', false],
    ['Killed', false],
    ['Survived', false],
    ['NoCoverage', false],
  ])
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
  [
    'none outside of tests',
    healthy.filter((one) => !one.isOutside),
    'no mutant of the canary outside of tests was killed',
  ],
  ['few mutants', healthy.slice(10), 'only 4 mutants of the canary'],
])('D559: the canary reports %s', (_, mutants, fault) => {
  expect(canaryFaults(mutants)).toContain(fault)
})

test('D559: a file of which no mutant was run is reported, since it may have been loaded without them', () => {
  const mutants = [mutant('Survived'), mutant('NoCoverage'), mutant('NoCoverage', '', { fileName: 'b.ts' })]
  expect(unusedFiles(mutants)).toEqual(['no mutant of b.ts was run'])
})
