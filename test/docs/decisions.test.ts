/** docs/decisions: what each decision names is there, and every number in the code is a decision. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { derivedPages, readDecisions } from '../../tools/decision-pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const decisions = readDecisions()
const known = new Set(decisions.map(({ number }) => number))

/** `D20-D27` means every number between. */
function numbersIn(text: string): string[] {
  const single = text.match(/\bD\d{1,3}\b/g) ?? []
  const spans = [...text.matchAll(/\bD(\d+)-D(\d+)\b/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `D${Number(from) + index}`),
  )
  return [...single, ...spans.filter((number) => known.has(number))]
}

test('every number is decided once', () => {
  expect(decisions.length).toBeGreaterThan(30)
  expect(known.size).toBe(decisions.length)
})

test('every decision says what and why', () => {
  const incomplete = decisions.filter(({ what, why }) => what.trim() === '' || why.trim() === '')
  expect(incomplete.map(({ number }) => number)).toEqual([])
})

test.each(decisions)('$number is carried by $carrier and tested by $test', ({ number, carrier, test }) => {
  expect(existsSync(`${root}${carrier}`)).toBe(true)
  expect(existsSync(`${root}${test}`)).toBe(true)
  expect(numbersIn(read(carrier))).toContain(number)
  expect(numbersIn(read(test))).toContain(number)
})

test('every number in the code and in the documents is a decision', () => {
  const files = globSync(
    ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'console/**/*.{ts,tsx}', 'docs/**/*.md', '*.md'],
    { cwd: root },
  )
  const unknown = files.flatMap((file) =>
    numbersIn(read(file))
      .filter((number) => !known.has(number))
      .map((number) => `${file}: ${number}`),
  )
  expect(unknown).toEqual([])
})

test.each(derivedPages())('$name is as `npm run decisions` writes it', ({ text, current }) => {
  expect(text).toBe(current)
})
