/** Tests of the auditor change a good history, and look at which checks notice it. */
import { audit } from '../audit.ts'
import { type Entry, entriesOf, type FinalState, type History } from '../history.ts'
import type { Check, Violation } from '../violation.ts'
import { makeGoodHistory } from './good-history.ts'

export type Change = (history: History, aurora: FinalState) => void

export function violationsAfter(change: Change): Violation[] {
  const history = makeGoodHistory()
  const [aurora] = entriesOf(history, 'final')
  if (!aurora) throw new Error('there is no final state')
  change(history, aurora)
  return audit(history)
}

/** The checks that find something once the history was changed. */
export function foundBy(change: Change): Check[] {
  return [...new Set(violationsAfter(change).map(({ check }) => check))]
}

export const add = (history: History, ...entries: Entry[]) => history.entries.push(...entries)
export const first = <T>(items: readonly T[]): T => {
  const [one] = items
  if (one === undefined) throw new Error('there is none')
  return one
}
export const last = <T>(items: readonly T[]): T => first(items.slice(-1))
