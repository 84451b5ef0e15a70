/** Filters whose totals are counted ahead: by start, by the calling number, by both, or without a condition. */
import type { Condition, Leaf } from '../../../filter/condition.ts'
import { fromColumn, startColumn } from '../call-list.ts'

export type CountedRange = {
  /** One of these numbers; undefined means any. */
  from: readonly string[] | undefined
  /** Calls that started at or after every `since` and before every `before`. */
  since: readonly string[]
  before: readonly string[]
}

export const everything: CountedRange = { from: undefined, since: [], before: [] }

/** Undefined if the filter has any other condition. */
export function readCountedRange(condition: Condition): CountedRange | undefined {
  if ('any' in condition) return readAny(condition.any.map(readCountedRange))
  if (!('all' in condition)) return readLeaf(condition)
  return condition.all.reduce<CountedRange | undefined>((sofar, part) => {
    const range = sofar && readCountedRange(part)
    return range && both(sofar, range)
  }, everything)
}

/** Any of some numbers; other alternatives are not counted ahead. */
function readAny(ranges: (CountedRange | undefined)[]): CountedRange | undefined {
  const numbers = ranges.flatMap((range) => (range && isOnlyFrom(range) ? [range.from ?? []] : []))
  if (ranges.length === 0 || numbers.length < ranges.length) return undefined
  return { ...everything, from: [...new Set(numbers.flat())] }
}

function isOnlyFrom({ from, since, before }: CountedRange): boolean {
  return from !== undefined && since.length === 0 && before.length === 0
}

function both(one: CountedRange, other: CountedRange): CountedRange {
  return {
    from:
      one.from && other.from
        ? one.from.filter((number) => other.from?.includes(number))
        : (one.from ?? other.from),
    since: [...one.since, ...other.since],
    before: [...one.before, ...other.before],
  }
}

function readLeaf({ target, test, negated }: Leaf): CountedRange | undefined {
  const { column } = target.field
  if (negated) return undefined
  if (column === fromColumn && test.is === 'in') {
    // No call is from null.
    const numbers = test.values.filter((number) => number !== null)
    return { ...everything, from: [...new Set(numbers)] }
  }
  if (column !== startColumn) return undefined
  switch (test.is) {
    case 'within': {
      const [span, ...others] = test.spans
      // No call starts at null.
      if (!span || others.length > 0) return undefined
      return { ...everything, since: [span.from], before: [span.until] }
    }
    case 'gte':
      return { ...everything, since: [test.value] }
    case 'lt':
      return { ...everything, before: [test.value] }
    default:
      return undefined
  }
}
