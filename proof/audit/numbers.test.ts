/** The check of calls that verify numbers, on histories in which they go wrong. */
import { expect, test } from 'vitest'
import { entriesOf, type FinalState, type History } from './history.ts'
import { add, type Change, first, foundBy } from './testing/break-history.ts'

const number = ({ numbers }: FinalState) => first(numbers)
const codeCall = (history: History) => first(entriesOf(history, 'code call'))
const afterFaults = (history: History) => {
  add(history, { kind: 'faults over', at: 10 })
  codeCall(history).at = 100_000
}

test.each<[string, Change]>([
  ['the call goes on for ever', (_, final) => Object.assign(number(final), { outcome: null })],
  ['a right code does not verify', (_, final) => Object.assign(number(final), { isVerified: false })],
  ['a wrong code verifies', (history) => Object.assign(codeCall(history), { outcome: 'wrong' })],
  ['a call that rang is not shown', (_, final) => Object.assign(number(final), { isCalled: false })],
  [
    'a number is verified without a call',
    (history) => history.entries.splice(history.entries.indexOf(codeCall(history)), 1),
  ],
  ['a talk is not paid', (history) => Object.assign(codeCall(history), { talkedMs: 20_000 })],
  [
    'a call is lost without a fault',
    (history, final) => {
      Object.assign(number(final), { outcome: 'lost', isVerified: false })
      afterFaults(history)
    },
  ],
])('%s', (_, change) => expect(foundBy(change)).toContain('numbers'))

test('a call whose process dies before its end is stored may be lost', () => {
  expect(foundBy((_, final) => Object.assign(number(final), { outcome: 'lost', isVerified: false }))).toEqual(
    [],
  )
})
