/**
 * Finds calls by a value in their metadata. The table call_values has a hash key for each value with its path and
 * account (json_search_keys in the database); the same keys are computed here from the filter.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Condition, Leaf } from '../../filter/condition.ts'
import { whereSql } from '../../filter/sql/where-sql.ts'
import { isStorableNumber } from '../../kit/json-text.ts'
import type { Database } from '../../store/database.ts'
import { metadataColumn, startColumn } from './call-list.ts'

/** A filter split into the condition on metadata and the rest; `within` is the part of the rest about the start. */
type Split = { leaf: Leaf; rest: Condition; within: Condition }

export type MetadataSearch = Split & {
  /** Keys of the values. */
  keys: readonly string[]
  /** The key of calls with too many values to index: the filter must check them. */
  unsure: string
}

export async function searchMetadata(
  db: Database,
  accountId: number,
  where: Condition,
): Promise<MetadataSearch | undefined> {
  const split = splitMetadata(where)
  return split && { ...split, ...(await selectKeys(db, accountId, split.leaf)) }
}

function splitMetadata(where: Condition): Split | undefined {
  const parts = flatten(where)
  const leaf = parts.find(isSearch)
  const others = parts.filter((part) => part !== leaf)
  return leaf && { leaf, rest: { all: others }, within: { all: others.flatMap(onStartBesideKey) } }
}

/** The same condition on the start that is stored with the key. */
function onStartBesideKey(part: Condition): Leaf[] {
  if (!('target' in part) || part.target.field.column !== startColumn) return []
  return [
    {
      ...part,
      target: { ...part.target, field: { ...part.target.field, column: 'call_values.started_at' } },
    },
  ]
}

function flatten(condition: Condition): Condition[] {
  return 'all' in condition ? condition.all.flatMap(flatten) : [condition]
}

/** Not for null: a missing value counts as null and has no key. */
function isSearch(part: Condition): part is Leaf {
  if (!('target' in part) || part.negated || part.target.field.column !== metadataColumn) return false
  return part.test.is === 'in' && part.test.values.length > 0 && !part.test.values.includes(null)
}

/** D28: a text is found by its text, a number also by its value. */
async function selectKeys(db: Database, accountId: number, { target, test }: Leaf) {
  const texts = test.is === 'in' ? test.values.filter((value) => value !== null) : []
  const account: RawBuilder<unknown> = sql`hashint8extended(${accountId}::bigint, 0)`
  const path = target.keys.reduce(
    (seed, key) => sql`hashtextextended(${key}::text collate "C", ${seed})`,
    account,
  )
  const { rows } = await sql<{ keys: string[]; unsure: string }>`
    select ${account}::text as unsure, array(
      select hashtextextended(value collate "C", path) from unnest(${texts}::text[]) as value
      union select hash_numeric_extended(value, path) from unnest(${texts.filter(isStorableNumber)}::numeric[]) as value
    )::text[] as keys
    from (select ${path} as path) as place`.execute(db)
  return rows[0] ?? { keys: [], unsure: '0' }
}

/** Up to this many keys are read in order and merged; more are read by one look-up and sorted. */
const maxMergedKeys = 16

/**
 * The calls with one of the keys, as a table `found`. Every key has its calls in order of their start, and each part
 * says so: PostgreSQL can merge the parts and stop when a page is full.
 */
export function foundCalls(
  { keys, unsure, within }: Omit<MetadataSearch, 'rest' | 'leaf'>,
  descending?: boolean,
) {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const order = descending === undefined ? sql`` : sql`order by started_at ${direction}, call_id ${direction}`
  const withKey = (key: RawBuilder<unknown>, sure: boolean) =>
    sql`(select started_at, call_id, ${sql.lit(sure)} as sure from call_values
      where key = ${key} and ${whereSql(within)} ${order})`
  const known =
    keys.length <= maxMergedKeys
      ? keys.map((key) => withKey(sql`${key}::bigint`, true))
      : [withKey(sql`any(${keys}::bigint[])`, true)]
  const parts = [...known, withKey(sql`${unsure}::bigint`, false)]
  return sql<{ started_at: Date; call_id: string; sure: boolean }>`(${sql.join(parts, sql` union all `)})`.as(
    'found',
  )
}
