/** A parsed `where`: every value has a type, every name is a column. */
import type { Target } from './where/target.ts'

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

/** Times from `from` on, before `until`. */
export type Span = { from: string; until: string }

/** Values are the text PostgreSQL reads as the field's type. */
export type Test =
  | { is: 'in'; values: readonly (string | null)[] }
  /** Times, in any of the spans. */
  | { is: 'within'; spans: readonly Span[]; orNull: boolean }
  /** Phone numbers as somebody wrote them: without separators one of the spellings, or exactly one of the texts. */
  | { is: 'phone'; spellings: readonly string[]; texts: readonly (string | null)[] }
  /** On a json path, `number` says which values take part: numbers or texts. */
  | { is: Comparison; value: string; number?: boolean }
  | { is: 'like' | 'matches'; pattern: string; ignoreCase: boolean }

/** A negated test holds for every row that the test does not hold for, nulls included. */
export type Leaf = { target: Target; test: Test; negated?: true }

export type Condition = { all: readonly Condition[] } | { any: readonly Condition[] } | Leaf

export const everything: Condition = { all: [] }

/** Conditions that must all hold. */
export function flatten(condition: Condition): Condition[] {
  return 'all' in condition ? condition.all.flatMap(flatten) : [condition]
}
