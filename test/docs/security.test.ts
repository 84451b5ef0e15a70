/** docs/security.md: each attack names its rule and the test that stages it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDecisions } from '../../tools/decision-pages.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const text = readFileSync(`${docs}security.md`, 'utf8')
const attacks = text
  .split('\n| Attack |')
  .slice(1)
  .flatMap((table) =>
    (table.split('\n\n', 1)[0] ?? '').split('\n').filter((line) => /^\| (?!---)/.test(line)),
  )
const links = [...text.matchAll(/\]\((\.\.\/[^)]+)\)/g)].map(([, path = '']) => path)

test.each(attacks)('%s', (row) => {
  expect(row.split(' | ')).toHaveLength(3)
  const tests = [...row.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g)].map(([, path = '']) => path)
  expect(tests.length).toBeGreaterThan(0)
})

test('every link leads somewhere', () => {
  expect(links.filter((path) => !existsSync(`${docs}${path}`))).toEqual([])
})

test('every staged attack is listed', () => {
  const staged = globSync('../test/security/*.test.ts', { cwd: docs })
  expect(staged.filter((path) => !links.includes(path))).toEqual([])
})

test('every decision it names is there', () => {
  const decided = readDecisions().map(({ number }) => number)
  const named = [...new Set(text.match(/\bD\d+\b/g))]
  expect(named.filter((number) => !decided.includes(number))).toEqual([])
})
