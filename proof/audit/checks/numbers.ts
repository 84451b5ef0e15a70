/** Calls that verify numbers (D188): each has one end, which the API shows, and costs what its talk costs. */
import { type CodeCall, entriesOf, type History, type ShownNumber, settledAt } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'
import { lastStatement, priceBy, rateOf } from './money.ts'

const outcomes = {
  typed: 'verified',
  wrong: 'wrong-code',
  'not typed': 'no-code',
  'not answered': 'not-answered',
} as const

export function checkNumbers(history: History): Violation[] {
  const { found, expect } = createFindings('numbers')
  const settled = settledAt(history)
  const ended = new Map(entriesOf(history, 'code call').map((one) => [one.number, one]))
  for (const { account, numbers } of entriesOf(history, 'final')) {
    const shown = new Map(numbers.map((one) => [one.number, one]))
    for (const { number, at, status } of entriesOf(history, 'verify').filter(
      (one) => one.account === account,
    ))
      expect(
        status !== 200 || shown.get(number)?.isCalled === true,
        () => `${number} of ${account} was to be called at ${at}, and was not`,
      )
    const paid = new Map(
      lastStatement(history, account).map(({ reference, amount }) => [reference, -amount] as const),
    )
    for (const one of numbers) {
      const call = ended.get(one.number)
      const problem = problemOf(one, call, call !== undefined && call.at > settled)
      expect(problem === undefined, () => `${one.number} of ${account} ${problem}`)
      if (!call) continue
      const rate = rateOf(history.rates, one.number)
      const full = rate ? priceBy(rate, Math.floor(call.talkedMs / 1000)) : 0
      const taken = paid.get(`call:${call.call}`) ?? 0
      const due = one.outcome === 'lost' ? 0 : full
      expect(taken === due, () => `${one.number} of ${account}: the call costs ${due}, ${taken} was taken`)
    }
  }
  return found
}

function problemOf(
  { outcome, isCalled, isVerified }: ShownNumber,
  call: CodeCall | undefined,
  isUndisturbed: boolean,
): string | undefined {
  if (!isCalled) return call ? `was called by ${call.call}, which is not shown` : undefined
  if (outcome === null) return 'is still being called'
  if (isVerified !== (outcome === 'verified'))
    return `is ${isVerified ? '' : 'not '}verified after ${outcome}`
  // A process may die during the call, or after it, before its end is stored.
  if (outcome === 'lost') return isUndisturbed ? 'was called, and its call is lost' : undefined
  if (!call || outcomes[call.outcome] !== outcome) return `shows ${outcome} after ${call?.outcome}`
  return undefined
}
