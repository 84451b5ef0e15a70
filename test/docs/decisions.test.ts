import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../../', import.meta.url))

type Row = { number: string; carrier: string; test: string }

const rows: Row[] = read('docs/decisions.md')
  .split('\n')
  .flatMap((line) => {
    const [, number = '', , , carrier = '', test = ''] = line.split('|').map((cell) => cell.trim())
    return /^D\d+$/.test(number)
      ? [{ number, carrier: carrier.replaceAll('`', ''), test: test.replaceAll('`', '') }]
      : []
  })

/** `D20-D27` means every number between. */
function numbersIn(text: string): string[] {
  const single = text.match(/\bD\d{1,3}\b/g) ?? []
  const spans = [...text.matchAll(/\bD(\d+)-D(\d+)\b/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `D${Number(from) + index}`),
  )
  return [...single, ...spans.filter((number) => rows.some((row) => row.number === number))]
}

test('every number has one row', () => {
  const numbers = rows.map(({ number }) => number)
  expect(numbers.length).toBeGreaterThan(30)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test.each(rows)('$number is carried by $carrier and tested by $test', ({ number, carrier, test }) => {
  expect(existsSync(`${root}${carrier}`)).toBe(true)
  expect(existsSync(`${root}${test}`)).toBe(true)
  expect(numbersIn(read(carrier))).toContain(number)
  expect(numbersIn(read(test))).toContain(number)
})

test('every number in the code is a row of the register', () => {
  const known = new Set(rows.map(({ number }) => number))
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: root })
  const unknown = files.flatMap((file) =>
    numbersIn(read(file))
      .filter((number) => !known.has(number))
      .map((number) => `${file}: ${number}`),
  )
  expect(unknown).toEqual([])
})
