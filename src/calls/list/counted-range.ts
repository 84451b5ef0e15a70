/** The filters whose totals are kept: by start, by the number a call is from, by both, or by nothing. */
import type { Condition, Leaf } from '../../filter/condition.ts'
import { fromColumn, startColumn } from './call-list.ts'

/** A moment; `later` is a microsecond after it, the least the database tells apart. */
type Bound = { at: string; later: boolean }

export type CountedRange = {
  /** Any of these; undefined is from anywhere. */
  from: readonly string[] | undefined
  /** Not before the latest of these, and before the earliest of those. */
  since: readonly Bound[]
  before: readonly Bound[]
}

const everything: CountedRange = { from: undefined, since: [], before: [] }

/** Undefined when it takes more than that to tell which calls are meant. */
export function readCountedRange(condition: Condition): CountedRange | undefined {
  if ('any' in condition) return undefined
  if (!('all' in condition)) return readLeaf(condition)
  return condition.all.reduce<CountedRange | undefined>((sofar, part) => {
    const range = sofar && readCountedRange(part)
    return range && both(sofar, range)
  }, everything)
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
    case 'in': {
      const [at = null, ...others] = test.values
      if (at === null || others.length > 0) return undefined
      return { ...everything, since: [{ at, later: false }], before: [{ at, later: true }] }
    }
    case 'gt':
    case 'gte':
      return { ...everything, since: [{ at: test.value, later: test.is === 'gt' }] }
    case 'lt':
    case 'lte':
      return { ...everything, before: [{ at: test.value, later: test.is === 'lte' }] }
    default:
      return undefined
  }
}
