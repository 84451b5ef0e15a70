/**
 * How the calls of a filter are found (D440): by an index that has them in order of their start, alone or narrowed by the
 * extension or a value, and how many calls have to be looked at for what is left of the filter.
 */
import { type Condition, flatten, type Leaf } from '../../filter/condition.ts'
import type { Database } from '../../store/database.ts'
import type { SearchLane } from '../../store/searches.ts'
import { destinationColumn, idColumn, lookUpOutside } from './call-list.ts'
import { type CountedRange, readCountedRange } from './counts/counted-range.ts'
import { type Counted, countKeys, countRange } from './counts/totals-store.ts'
import {
  fieldsOf,
  findKeySearches,
  isMetadataSearch,
  type KeySearch,
  maxMergedKeys,
} from './key-search-store.ts'
import { countMatching, countUpTo } from './list-store.ts'
import { onStart } from './side-search-sql.ts'
import { leafOf } from './start-range.ts'

export type SearchPlan = {
  search: KeySearch | undefined
  /** The range of starts, and numbers without a search by keys. */
  range: CountedRange
  /** How many calls the index finds. */
  candidates: number
  /** All of them match: `candidates` is the total, or `atLeast` that many. */
  exact: boolean
  atLeast?: boolean
  /** How many calls there are in the range of starts, if that was counted. */
  among?: number | undefined
}

/** How many calls in order of their start are read in the time of one that lies elsewhere. */
const lookUpCost = 8
/** The same for one that most often is left out since it lacks the key of another condition. */
const besideCost = 2

/** Cost of reading all calls that the index finds, in units of calls that lie next to each other. */
export function costOf({ search, range, candidates }: Pick<SearchPlan, 'search' | 'range' | 'candidates'>) {
  return search || range.from ? candidates * lookUpCost : candidates
}

/** Cost of looking at one of them while a page is filled. */
export function costOfOne({ search, range }: SearchPlan): number {
  if (search && search.also.length > 0) return besideCost
  return search || range.from ? lookUpCost : 1
}

/** How many calls a search may read, by their cost. */
export const searchSizes = {
  /** Up to this number, all are compared with the filter if need be, and those that match are counted. */
  few: 20_000,
  /** More are not sorted by what no index has in order. */
  sorted: 200_000,
  /** The newest calls, which are read first. */
  window: 2_000,
  /** More are not skipped one by one. */
  skipped: 2_000,
}
export type SearchSizes = typeof searchSizes

/** Filters that an index serves do not wait for those that read many calls. */
export function laneOf(where: Condition): SearchLane {
  const others = flatten(where).filter((part) => !readCountedRange(part))
  if (others.length === 0) return 'served'
  return others.length === 1 && others.every(isServed) ? 'served' : 'scanned'
}

/** Patterns of callers are compared with the few values that there are. */
function isServed(part: Condition): boolean {
  if (isLookUp(part) || isMetadataSearch(part)) return true
  return fieldsOf(part) !== undefined && leavesOf(part).every(({ test }) => test.is !== 'matches')
}

function leavesOf(condition: Condition): Leaf[] {
  if ('any' in condition) return condition.any.flatMap(leavesOf)
  return 'all' in condition ? condition.all.flatMap(leavesOf) : [condition]
}

/** By an index that no counts are made of: one call, those to some numbers, or those with an outcome or a tag. */
function isLookUp(part: Condition): boolean {
  if (!('target' in part) || part.negated || part.test.is !== 'in') return false
  const { column } = part.target.field
  if (lookUpOutside.has(column)) return !part.test.values.includes(null)
  return [idColumn, destinationColumn].includes(column)
}

export async function planSearch(
  db: Database,
  accountId: number,
  where: Condition,
  { few }: Pick<SearchSizes, 'few'> = searchSizes,
  order: 'by start' | 'other' = 'by start',
): Promise<SearchPlan> {
  const parts = flatten(where)
  const counted = parts.filter((part) => readCountedRange(part))
  const range = readCountedRange({ all: counted }) ?? { from: undefined, since: [], before: [] }
  const plain = { search: undefined, range }
  const isCounted = counted.length === parts.length
  if (isCounted && (order === 'by start' || !range.from)) {
    return { ...plain, candidates: await countRange(db, accountId, range), exact: true }
  }
  const lookUp = parts.find(isLookUp)
  if (lookUp) {
    const candidates = await countUpTo(db, accountId, { all: [...counted, lookUp] }, few + 1)
    if (candidates <= few) return { ...plain, candidates, exact: false }
  }
  const plans: SearchPlan[] = []
  for (const search of await findKeySearches(db, accountId, where)) {
    const plan = await planByKeys(db, accountId, search, { range, few })
    if (plan.atLeast && (order === 'other' || search.keys.length > maxMergedKeys)) continue
    if (plan.exact && order === 'by start') return plan
    plans.push(plan)
  }
  plans.push({ ...plain, candidates: await countRange(db, accountId, range), exact: isCounted })
  if (range.from) {
    const anyNumber = { ...range, from: undefined }
    const candidates = await countRange(db, accountId, anyNumber)
    plans.push({ search: undefined, range: anyNumber, candidates, exact: false })
  }
  const among = plans.at(-1)?.candidates
  const best = plans.reduce((best, plan) => (costOf(plan) < costOf(best) ? plan : best))
  return { ...best, among }
}

async function planByKeys(
  db: Database,
  accountId: number,
  search: KeySearch,
  { range: { since, before }, few }: { range: CountedRange; few: number },
): Promise<SearchPlan> {
  const range = { from: undefined, since, before }
  if (search.sides) return await planBySides(db, accountId, search, { range, few })
  const count = (keys: readonly string[]) => countKeys(db, accountId, range, { keys, most: few / 2 })
  const { calls: sure, atLeast } = await count(search.keys)
  const rest = readCountedRange(search.rest)
  const exact = !search.overlapping && rest !== undefined && rest.from === undefined
  if (search.unsure === undefined) return { search, range, candidates: sure, exact, atLeast }
  // Calls with too many values to index are few, and looked at.
  const unsure = exact
    ? await countMatching(db, accountId, search.asked, { ...search, keys: [] })
    : (await count([search.unsure])).calls
  if (unsure === 0)
    return { search: { ...search, unsure: undefined }, range, candidates: sure, exact, atLeast }
  return { search, range, candidates: sure + unsure, exact, atLeast }
}

async function planBySides(
  db: Database,
  accountId: number,
  search: KeySearch,
  { range, few }: { range: CountedRange; few: number },
): Promise<SearchPlan> {
  const { from = [], to = [] } = search.sides ?? {}
  const calling = await countRange(db, accountId, { ...range, from })
  const toNumber = leafOf(destinationColumn, { is: 'in', values: to })
  const most = few / 2
  const called = await countUpTo(db, accountId, { all: [toNumber, ...onStart(search.rest)] }, most)
  return { search, range, candidates: calling + called, exact: false, atLeast: called >= most }
}

/** What a single stored count stands for; undefined if the calls of several are merged. */
export function countedBy({ search, range }: SearchPlan): { counted: Counted } | undefined {
  if (search) {
    const [key, ...others] = search.keys
    return key !== undefined && others.length === 0 && search.unsure === undefined
      ? { counted: { key } }
      : undefined
  }
  if (!range.from) return { counted: undefined }
  const [from, ...others] = range.from
  return from !== undefined && others.length === 0 ? { counted: { from } } : undefined
}
