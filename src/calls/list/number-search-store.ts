/**
 * Finds numbers by a pattern without reading every call (D442): the indexes on numbers have them in order, so that the
 * next different one is a look-up away.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Condition, Leaf } from '../../filter/condition.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { whereSql } from '../../filter/sql/where-sql.ts'
import type { Database } from '../../store/database.ts'
import { fromColumn } from './call-list.ts'
import { keyedDigits, selectEndKey } from './counts/destination-ends-store.ts'
import { onColumn, onStartBesideKey } from './key-search-store.ts'
import { leafOf } from './start-range.ts'

/** More different numbers, or beginnings of numbers, are not looked up one after the other. */
const maxLookUps = 1_000

/** Patterns of the calling number are replaced by the numbers that match, for which calls are counted. */
export async function withKnownNumbers(
  db: Database,
  accountId: number,
  query: PagedQuery,
): Promise<PagedQuery> {
  if (!hasFromPattern(query.where)) return query
  const numbers = await selectDifferent(db, accountId, 'from_number')
  return numbers ? { ...query, where: await replaceIn(db, numbers, query.where) } : query
}

function hasFromPattern(condition: Condition): boolean {
  if ('target' in condition) return isFromPattern(condition)
  return ('any' in condition ? condition.any : condition.all).some(hasFromPattern)
}

function isFromPattern({ target, test, negated }: Leaf): boolean {
  return target.field.column === fromColumn && !negated && ['like', 'matches', 'phone'].includes(test.is)
}

async function replaceIn(db: Database, numbers: string[], condition: Condition): Promise<Condition> {
  const replaced = (parts: readonly Condition[]) =>
    Promise.all(parts.map((part) => replaceIn(db, numbers, part)))
  if ('any' in condition) return { any: await replaced(condition.any) }
  if ('all' in condition) return { all: await replaced(condition.all) }
  if (!isFromPattern(condition)) return condition
  const { rows } = await sql<{ number: string }>`
    select number from unnest(${numbers}::text[]) as known (number)
    where ${whereSql(onColumn(condition, 'known.number'))}`.execute(db)
  return leafOf(fromColumn, { is: 'in', values: rows.map(({ number }) => number) })
}

/** Brazilian numbers have 13 digits at most; of others, and of extensions, the whole number is taken. */
const brazil = { code: '55', digits: 13 }
/** Comes after every number that begins with what stands before it: all are digits (D10). */
const afterAll = '9'.repeat(20)

/**
 * The different numbers of the account's calls or, of Brazilian ones, their first `beginning` digits. Undefined if there
 * are too many.
 */
async function selectDifferent(
  db: Database,
  accountId: number,
  column: 'from_number' | 'to_number',
  beginning = afterAll.length,
): Promise<string[] | undefined> {
  const number = sql.ref(`calls.${column}`)
  const taken = sql`case when ${number} like ${`${brazil.code}%`} then left(${number}, ${beginning}) else ${number} end`
  const next = (after: RawBuilder<unknown>) => sql`(select ${taken} from calls
    where account_id = ${accountId} and ${after} order by ${number} limit 1)`
  const { rows } = await sql<{ number: string }>`
    with recursive known (number, place) as (
      select ${next(sql`true`)}, 1
      union all
      select ${next(sql`${number} > known.number || case when length(known.number) = ${beginning} then ${afterAll} else '' end`)}, place + 1
      from known where known.number is not null and place <= ${maxLookUps}
    )
    select number from known where number is not null`.execute(db)
  return rows.length <= maxLookUps ? rows.map((row) => row.number) : undefined
}

/** Whether the pattern has enough digits for look-ups. */
export const hasDigits = (asked: Leaf) => lastDigits(asked) !== undefined || literalOf(asked) !== undefined

type Search = { asked: Leaf; starts: readonly Condition[] }

/** The start and id of calls to numbers that match. Undefined if the pattern says too little about where they are. */
export async function findDestinations(
  db: Database,
  accountId: number,
  search: Search,
): Promise<RawBuilder<unknown> | undefined> {
  return (await findByRanges(db, accountId, search)) ?? (await findByEnd(db, accountId, search))
}

/** Numbers that end with certain digits have a key for the last of them. Where they are more, calls are read besides. */
async function findByEnd(
  db: Database,
  accountId: number,
  { asked, starts }: Search,
): Promise<RawBuilder<unknown> | undefined> {
  const digits = lastDigits(asked)
  const key = digits && (await selectEndKey(db, accountId, digits.slice(-keyedDigits)))
  if (!key) return undefined
  const keyed = sql`select started_at, call_id as id from call_values
    where key = ${key} and ${whereSql({ all: starts.flatMap(onStartBesideKey) })}`
  if (digits.length === keyedDigits) return keyed
  return sql`select keyed.started_at, keyed.id from (${keyed}) as keyed join calls using (id)
    where ${whereSql(asked)}`
}

async function findByRanges(
  db: Database,
  accountId: number,
  { asked, starts }: Search,
): Promise<RawBuilder<unknown> | undefined> {
  const literal = literalOf(asked)
  if (!literal) return undefined
  const { digits, isFirst } = literal
  const most = isFirst ? 0 : brazil.digits - digits.length
  const length = Math.max(brazil.code.length, most)
  const known = isFirst ? [''] : await selectDifferent(db, accountId, 'to_number', length)
  if (!known) return undefined
  const isBeginning = (number: string) =>
    isFirst || (number.startsWith(brazil.code) && number.length === length)
  const whole = known.filter((number) => !isBeginning(number))
  const before = Array.from({ length: most + 1 }, (_, size) => size)
  const ranges = known
    .filter(isBeginning)
    .flatMap((beginning) => before.map((size) => beginning.slice(0, size) + digits))
  const condition = whereSql({ all: [...starts, asked] })
  return sql`select started_at, id from unnest(${[...new Set(ranges)]}::text[]) as range (first), lateral (
      select started_at, id from calls where account_id = ${accountId}
        and to_number >= range.first and to_number <= range.first || ${afterAll} and ${condition} offset 0) as found
    union select started_at, id from calls
    where account_id = ${accountId} and to_number = any(${whole}::text[]) and ${condition}`
}

/** Fewer digits may stand nearly anywhere in a number. */
const minDigits = 6
/** Country and area code. */
const minFirstDigits = 4

/** The longest run of digits that a matching number has; `isFirst` if it begins with them. */
function literalOf({ test, negated }: Leaf): { digits: string; isFirst: boolean } | undefined {
  if (negated || test.is !== 'like') return undefined
  const first = /^\d+/.exec(test.pattern)?.[0]
  if (first && first.length >= minFirstDigits) return { digits: first, isFirst: true }
  const [longest = ''] = (test.pattern.match(/\d+/g) ?? []).toSorted(
    (one, other) => other.length - one.length,
  )
  const fits = longest.length >= minDigits && longest.length <= brazil.digits
  return fits ? { digits: longest, isFirst: false } : undefined
}

/** The digits with which a matching number ends, if nothing else is asked and they have a key. */
function lastDigits({ test, negated }: Leaf): string | undefined {
  if (negated || test.is !== 'like') return undefined
  return new RegExp(`^%(\\d{${keyedDigits},})$`).exec(test.pattern)?.[1]
}
