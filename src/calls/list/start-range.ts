/** Narrows a list by the start of its calls, from the end where it is read first. */
import type { Condition, Leaf, Test } from '../../filter/condition.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { callList, startColumn } from './call-list.ts'
import type { CountedRange } from './counts/counted-range.ts'
import { type KeySearch, onStartBesideKey } from './key-search-store.ts'

type Narrowed = { where: Condition; search: KeySearch | undefined }

/** Where the list begins, and how to leave out what lies on one side of a time. */
export function startsFrom(query: PagedQuery, { since, before }: CountedRange) {
  const descending = query.order[0]?.descending ?? false
  const [first] = query.after?.key ?? []
  const resumed = first === undefined || first === null ? [] : [timeOf(first)]
  const from = descending
    ? earliest([...before, ...resumed], 'infinity')
    : latest([...since, ...resumed], '-infinity')
  /** Calls that are read after those up to the edge. */
  const beyond = (edge: string, where: Condition, search: KeySearch | undefined) =>
    narrow(startLeaf(descending ? 'lt' : 'gte', edge), where, search)
  /** Calls that are read before those. */
  const upTo = (edge: string, where: Condition, search: KeySearch | undefined) =>
    narrow(startLeaf(descending ? 'gte' : 'lt', edge), where, search)
  const range: CountedRange = {
    from: undefined,
    since: descending ? since : [...since, ...resumed],
    before: descending ? [...before, ...resumed] : before,
  }
  return { from, range, descending, beyond, upTo }
}

function narrow(leaf: Leaf, where: Condition, search: KeySearch | undefined): Narrowed {
  return {
    where: { all: [where, leaf] },
    search: search && {
      ...search,
      rest: { all: [search.rest, leaf] },
      within: { all: [search.within, ...onStartBesideKey(leaf)] },
    },
  }
}

const startLeaf = (is: 'lt' | 'gte', value: string) => leafOf(startColumn, { is, value })

/** A condition on a column of the list. */
export function leafOf(column: string, test: Test): Leaf {
  const field = [...callList.fields.values()].find((one) => one.column === column)
  if (!field) throw new Error(`calls are not listed by ${column}`)
  return { target: { field, keys: [] }, test }
}

/** Reads whole microseconds of a sort key. Returns the millisecond after them, since it only says from where calls are counted. */
function timeOf(microseconds: string): string {
  return new Date(Math.ceil(Number(microseconds) / 1000)).toISOString()
}

const inOrder = (times: readonly string[]) =>
  times.toSorted((one, other) => Date.parse(one) - Date.parse(other))
const earliest = (times: readonly string[], none: string) => inOrder(times).at(0) ?? none
const latest = (times: readonly string[], none: string) => inOrder(times).at(-1) ?? none
