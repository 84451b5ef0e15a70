/** Outcomes of an account (D593): what may have come of a call. */
import type { Outcome } from '../../contract/calls/call-results.ts'
import { type FieldProblems, problem, refuseFields } from '../../contract/errors.ts'
import type { Language, Translated } from '../../kit/text/language.ts'

/** Offered until the account sets its own. */
const suggested: readonly { key: string; label: Translated<string> }[] = [
  { key: 'sale', label: { en: 'Sale', pt: 'Venda' } },
  { key: 'interested', label: { en: 'Interested', pt: 'Interessado' } },
  { key: 'call_back', label: { en: 'Call back', pt: 'Ligar de novo' } },
  { key: 'not_interested', label: { en: 'Not interested', pt: 'Sem interesse' } },
  { key: 'resolved', label: { en: 'Resolved', pt: 'Resolvido' } },
  { key: 'voicemail', label: { en: 'Voicemail', pt: 'Caixa postal' } },
  { key: 'wrong_number', label: { en: 'Wrong number', pt: 'Número errado' } },
]

export function suggestedOutcomes(language: Language): Outcome[] {
  return suggested.map(({ key, label }) => ({ key, label: label[language] }))
}

/** Labels without spaces around them; refused if blank, of several lines, or if a key or label is there twice. */
export function readOutcomes(given: readonly Outcome[]): Outcome[] {
  const outcomes = given.map(({ key, label }) => ({ key, label: label.trim() }))
  const problems: FieldProblems = {}
  for (const [index, { key, label }] of outcomes.entries()) {
    const before = outcomes.slice(0, index)
    if (before.some((other) => other.key === key)) problems[`outcomes.${index}.key`] = [problem.taken]
    const labelProblem = problemOf(label, before)
    if (labelProblem) problems[`outcomes.${index}.label`] = [labelProblem]
  }
  if (Object.keys(problems).length > 0) throw refuseFields('Account', problems)
  return outcomes
}

function problemOf(label: string, before: readonly Outcome[]) {
  if (label === '') return problem.blank
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label)) return problem.severalLines
  const isTaken = before.some((other) => other.label.toLowerCase() === label.toLowerCase())
  return isTaken ? problem.taken : undefined
}
