/** The result of a call, entered by a person (D592): an outcome of the account, tags and notes. */
import type { CallPatch } from '../../contract/calls/call-results.ts'
import { type FieldProblems, notOneOf, problem, refuseFields } from '../../contract/errors.ts'

export type CallResult = {
  /** The key of an outcome; it stays when the account no longer offers it. */
  outcome: string | null
  /** In lower case, sorted, each once. */
  tags: readonly string[]
  notes: string
}

export const noResult: CallResult = { outcome: null, tags: [], notes: '' }

/** The result after the patch; refused if the outcome is new and none of those that the account offers. */
export function applyPatch(before: CallResult, patch: CallPatch, offered: readonly string[]): CallResult {
  const problems: FieldProblems = {}
  const outcome = patch.outcome === undefined ? before.outcome : patch.outcome
  if (outcome !== null && outcome !== before.outcome && !offered.includes(outcome)) {
    problems.outcome = [notOneOf(offered)]
  }
  const tags = patch.tags === undefined ? before.tags : readTags(patch.tags)
  if (tags.includes('')) problems.tags = [problem.blank]
  else if (tags.some((tag) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(tag))) problems.tags = [problem.severalLines]
  if (Object.keys(problems).length > 0) throw refuseFields('Call', problems)
  return { outcome, tags, notes: patch.notes === undefined ? before.notes : patch.notes.trim() }
}

function readTags(given: readonly string[]): string[] {
  return [...new Set(given.map((tag) => tag.trim().toLowerCase()))].sort()
}

export function isSameResult(one: CallResult, other: CallResult): boolean {
  return (
    one.outcome === other.outcome &&
    one.notes === other.notes &&
    one.tags.join('\n') === other.tags.join('\n')
  )
}
