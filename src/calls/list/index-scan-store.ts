/**
 * Finds calls by patterns of their numbers where few match (D442): by look-ups in the index on numbers or, where the
 * pattern has too few digits, by reading the index as a whole without the calls. Conditions on the caller are looked up by
 * their keys.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Condition, flatten, type Leaf } from '../../filter/condition.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import { afterSql, orderSql } from '../../filter/sql/sort-sql.ts'
import { whereSql } from '../../filter/sql/where-sql.ts'
import type { Database } from '../../store/database.ts'
import { destinationColumn, fromColumn, idColumn, startColumn } from './call-list.ts'
import { maxScanMs } from './call-scan.ts'
import { fieldsOf, onStartBesideKey, selectCallerKeys } from './key-search-store.ts'
import { type CallRow, selectPage, sortedBy } from './list-store.ts'
import { findDestinations, hasDigits } from './number-search-store.ts'
import { leafOf } from './start-range.ts'

/** The conditions of which one must hold, and those on the start. Undefined if the filter is about anything else. */
export function readIndexSearch(where: Condition): IndexSearch | undefined {
  const parts = flatten(where)
  const starts = parts.filter((part) => isLeafOn(part, [startColumn]))
  const [asked, ...others] = parts.filter((part) => !isLeafOn(part, [startColumn]))
  if (!asked || others.length > 0) return undefined
  const conditions = ('any' in asked ? asked.any : [asked]).map(simplified)
  return conditions.every((one) => isLeafOn(one, [destinationColumn, fromColumn]) || fieldsOf(one))
    ? { conditions, starts }
    : undefined
}
export type IndexSearch = { conditions: readonly Condition[]; starts: readonly Condition[] }

function simplified(condition: Condition): Condition {
  const [only, ...more] = flatten(condition)
  return only && more.length === 0 ? only : condition
}

/** Entries of an index that are read in a millisecond, on a slow machine. */
const indexedPerMs = 1_500
/** Approximate time of look-ups in it. */
const lookUpsMs = 10

/** How long it takes in an account with so many calls. */
export function estimateMs({ conditions }: IndexSearch, calls: number): number {
  return conditions.every(hasLookUps) ? lookUpsMs : calls / indexedPerMs
}

function hasLookUps(asked: Condition): boolean {
  if (isLeafOn(asked, [destinationColumn])) return hasDigits(asked)
  return !isLeafOn(asked, [fromColumn]) || (!asked.negated && asked.test.is === 'in')
}

/** Undefined if that would take too long. */
export async function readFromIndexes(
  db: Database,
  accountId: number,
  query: PagedQuery,
  { search, calls }: { search: IndexSearch; calls: number },
): Promise<PageOf<CallRow> | undefined> {
  const found = await findAll(db, accountId, search, calls / indexedPerMs < maxScanMs)
  return found && (await readPage(db, accountId, query, found))
}

function isLeafOn(part: Condition, columns: readonly string[]): part is Leaf {
  return 'target' in part && columns.includes(part.target.field.column)
}

/** The start and id of the calls for which any of the conditions holds. */
async function findAll(
  db: Database,
  accountId: number,
  { conditions, starts }: IndexSearch,
  mayReadWhole: boolean,
): Promise<RawBuilder<unknown> | undefined> {
  const branches: RawBuilder<unknown>[] = []
  for (const asked of conditions) {
    const branch =
      (await findByLookUps(db, accountId, { asked, starts })) ??
      (mayReadWhole && isLeafOn(asked, [destinationColumn, fromColumn])
        ? sql`select started_at, id from calls
          where account_id = ${accountId} and ${whereSql({ all: [...starts, asked] })}`
        : undefined)
    if (!branch) return undefined
    branches.push(branch)
  }
  return sql.join(branches, sql` union `)
}

async function findByLookUps(
  db: Database,
  accountId: number,
  { asked, starts }: { asked: Condition; starts: readonly Condition[] },
): Promise<RawBuilder<unknown> | undefined> {
  if (isLeafOn(asked, [destinationColumn])) return await findDestinations(db, accountId, { asked, starts })
  if (isLeafOn(asked, [fromColumn])) {
    if (!hasLookUps(asked)) return undefined
    return sql`select started_at, id from calls
      where account_id = ${accountId} and ${whereSql({ all: [...starts, asked] })}`
  }
  const callers = await selectCallerKeys(db, accountId, asked)
  if (!callers) return undefined
  const within = { all: starts.flatMap(onStartBesideKey) }
  return sql`select started_at, call_id as id from call_values
    where key = any(${callers.keys}::bigint[]) and ${whereSql(within)}`
}

async function readPage(
  db: Database,
  accountId: number,
  query: PagedQuery,
  found: RawBuilder<unknown>,
): Promise<PageOf<CallRow>> {
  const sorted = sortedBy(query, 'found.started_at', 'found.id')
  const after = query.after ? afterSql(sorted, query.after.key) : sql`true`
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as materialized (select distinct started_at, id from (${found}) as found)
    select (select count(*) from found) as total, array(
      select id from found where ${after} order by ${orderSql(sorted)}
      offset ${query.offset} limit ${query.limit + 1}) as ids`.execute(db)
  const { ids, total } = rows[0] ?? { ids: [], total: 0 }
  const where = leafOf(idColumn, { is: 'in', values: ids })
  const page = await selectPage(db, accountId, { ...query, where, offset: 0, after: undefined })
  return { ...page, total }
}
