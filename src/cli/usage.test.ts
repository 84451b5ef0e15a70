import { expect, test } from 'vitest'
import { asksForHelp, readOptions, UsageError } from './usage.ts'

test.each([
  [['--help'], true],
  [['-h'], true],
  [['help'], true],
  [['create', '--domain', 'a', '--help'], true],
  [['import', 'help'], false],
  [['import', '--', '--help'], false],
  [[], false],
])('%j asks for help: %s', (args, expected) => {
  expect(asksForHelp(args)).toBe(expected)
})

test('a value below zero is a value and no option', () => {
  const options = { amount: { type: 'string' }, apply: { type: 'boolean' } } as const
  expect(readOptions({ args: ['--amount', '-5.00', '--apply'], options }).values).toEqual({
    amount: '-5.00',
    apply: true,
  })
  expect(() => readOptions({ args: ['--apply', '-5.00'], options })).toThrow(UsageError)
})

const options = { domain: { type: 'string' }, apply: { type: 'boolean' } } as const

test.each([
  [['--loud'], "Unknown option '--loud'."],
  [['--domain'], "Option '--domain <value>' argument missing."],
  [['--apply=yes'], "Option '--apply' does not take an argument."],
  [['file'], "Unexpected argument 'file'."],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => readOptions({ args, options })).toThrow(new UsageError(sentence))
})
