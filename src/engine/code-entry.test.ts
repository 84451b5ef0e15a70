import { expect, test } from 'vitest'
import { createCodeEntry } from './code-entry.ts'

const type = (keys: string) => {
  const { press } = createCodeEntry('4821', 3)
  return [...keys].map(press).filter((result) => result !== 'incomplete')
}

test.each([
  ['4821', ['right']],
  ['48*4821', ['right']],
  ['#48#4821', ['right']],
  ['4A821', ['right']],
  ['482', []],
  ['14821', ['wrong']],
  ['11114821', ['wrong', 'right']],
  ['111122223333', ['wrong', 'wrong', 'wrong too often']],
])('D188: %s', (keys, results) => {
  expect(type(keys)).toEqual(results)
})
