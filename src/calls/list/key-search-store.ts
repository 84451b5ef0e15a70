/**
 * Finds calls by a value in their metadata, or by a name, the e-mail or the caller ID of their caller (D440). The table
 * call_values has a hash key for each value with its path or field and account (json_search_keys and caller_search_keys
 * in the database); the same keys are computed here from the filter.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Condition, flatten, type Leaf } from '../../filter/condition.ts'
import { whereSql } from '../../filter/sql/where-sql.ts'
import { isStorableNumber } from '../../kit/text/json-text.ts'
import type { Database } from '../../store/database.ts'
import { callerColumns, metadataColumn, startColumn } from './call-list.ts'
import { readSides, type Sides, sideRows } from './side-search-sql.ts'

/** A filter split into the condition that keys stand for and the rest; `within` is the part of the rest about the start. */
type Split = { asked: Condition; rest: Condition; within: Condition }

export type KeySearch = Split & {
  /** Keys of the values. */
  keys: readonly string[]
  /** The key of calls with too many values to index: the filter must check them. */
  unsure: string | undefined
  /** A call may have several of the keys. */
  overlapping: boolean
  /** Keys that stand for other parts of the filter: a call that matches has one of each as well. */
  also: readonly (readonly string[])[]
  /** In place of keys: numbers of calls of the account. */
  sides?: Sides & { accountId: number }
}

/** Parts of a filter for which keys are looked up, the first ones: each costs a statement. */
const maxSearches = 4
/** A pattern that more values match is no search by keys. */
const maxKeys = 1_000
/** Up to this many keys are read in order and merged; more are read by one look-up and sorted. */
export const maxMergedKeys = 16

/** One search for each part of the filter that keys stand for. */
export async function findKeySearches(
  db: Database,
  accountId: number,
  where: Condition,
): Promise<KeySearch[]> {
  const parts = flatten(where)
  const found: Omit<KeySearch, 'also'>[] = []
  for (const asked of parts
    .filter((part) => isMetadataSearch(part) || fieldsOf(part) || readSides(part))
    .slice(0, maxSearches)) {
    const others = parts.filter((part) => part !== asked)
    const split = { asked, rest: { all: others }, within: { all: others.flatMap(onStartBesideKey) } }
    const sides = readSides(asked)
    if (sides) {
      const noKeys = { keys: [], unsure: undefined, overlapping: true }
      found.push({ ...split, ...noKeys, sides: { ...sides, accountId } })
      continue
    }
    if (isMetadataSearch(asked)) {
      found.push({ ...split, ...(await selectKeys(db, accountId, asked)), overlapping: false })
      continue
    }
    const callers = await selectCallerKeys(db, accountId, asked)
    if (callers) found.push({ ...split, ...callers, unsure: undefined })
  }
  return found.map((search) => ({ ...search, also: found.filter((one) => one !== search).flatMap(alsoOf) }))
}

function alsoOf({ keys, unsure, sides }: Omit<KeySearch, 'also'>): (readonly string[])[] {
  if (sides || keys.length > maxMergedKeys) return []
  return [unsure === undefined ? keys : [...keys, unsure]]
}

/** The same condition on the start that is stored with the key. */
export function onStartBesideKey(part: Condition): Leaf[] {
  if (!('target' in part) || part.target.field.column !== startColumn) return []
  return [onColumn(part, 'call_values.started_at')]
}

export const onColumn = (leaf: Leaf, column: string): Leaf => ({
  ...leaf,
  target: { ...leaf.target, field: { ...leaf.target.field, column } },
})

/** Not for null: a missing value counts as null and has no key. */
export function isMetadataSearch(part: Condition): part is Leaf {
  if (!('target' in part) || part.negated || part.target.field.column !== metadataColumn) return false
  return part.test.is === 'in' && part.test.values.length > 0 && !part.test.values.includes(null)
}

/** The caller's fields that the condition is about, if one value at a time decides about it. */
export function fieldsOf(part: Condition): Set<string> | undefined {
  if ('target' in part) return fieldOf(part)
  if ('any' in part) {
    const fields = part.any.map(fieldsOf)
    if (fields.length === 0 || fields.includes(undefined)) return undefined
    return new Set(fields.flatMap((some) => [...(some ?? [])]))
  }
  const fields = part.all.map(fieldsOf)
  if (fields.length === 0 || fields.includes(undefined)) return undefined
  const all = new Set(fields.flatMap((some) => [...(some ?? [])]))
  return all.size === 1 ? all : undefined
}

/** Not where calls without a value match, since they have no key. */
function fieldOf({ target: { field }, test, negated }: Leaf): Set<string> | undefined {
  const name = callerColumns.get(field.column)
  const matchesNull = test.is === 'in' && test.values.includes(null)
  if (name === undefined || matchesNull || (field.nullable && negated)) return undefined
  return new Set([name])
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

/** Undefined if too many values match, or while keys of earlier calls are missing. */
export async function selectCallerKeys(
  db: Database,
  accountId: number,
  asked: Condition,
): Promise<Pick<KeySearch, 'keys' | 'overlapping'> | undefined> {
  const { rows } = await sql<{ keys: string[] | null; fields: number }>`
    select array_agg(key::text) as keys, count(distinct field) as fields from (
      select field, hashtextextended(value collate "C", hashtextextended(field, hashint8extended(account_id, 1))) as key
      from caller_values where account_id = ${accountId} and ${valueSql(asked)} limit ${maxKeys + 1}) as found
    having not exists (select from caller_values_missing where account_id = ${accountId})`.execute(db)
  const [row] = rows
  const keys = row?.keys ?? []
  return row && keys.length <= maxKeys ? { keys, overlapping: row.fields > 1 } : undefined
}

/** The condition on calls as one on the values of their callers. */
function valueSql(condition: Condition): RawBuilder<unknown> {
  if ('any' in condition) return sql`(${sql.join(condition.any.map(valueSql), sql` or `)})`
  if ('all' in condition) return sql`(${sql.join(condition.all.map(valueSql), sql` and `)})`
  const field = callerColumns.get(condition.target.field.column)
  return sql`(field = ${field} and ${whereSql(onColumn(condition, 'caller_values.value'))})`
}

export type FoundOrder = {
  descending: boolean
  /** The most calls needed of each key, if nothing but the start decides besides. */
  most?: { calls: number; after: RawBuilder<unknown> } | undefined
}

/**
 * The calls with one of the keys, as a table `found`. Every key has its calls in order of their start, and each part
 * says so: PostgreSQL can merge the parts and stop when a page is full.
 */
export function foundCalls(
  { keys, unsure, within, overlapping, also, sides }: Omit<KeySearch, 'rest' | 'asked'>,
  order?: FoundOrder,
) {
  const narrowed = sql`${whereSql(within)} ${sql.join(also.map(hasBeside), sql``)}`
  const direction = sql.raw(order?.descending ? 'desc' : 'asc')
  const inOrder = order ? sql`order by started_at ${direction}, call_id ${direction}` : sql``
  // Named as the table of keys is, so that the same conditions narrow them.
  const onSides = (sides ? sideRows(sides.accountId, sides) : []).map(
    (rows) => sql`(select started_at, call_id, true as sure from (${rows}) as call_values
      where ${narrowed} ${inOrder})`,
  )
  const withKey = (key: RawBuilder<unknown>, sure: boolean) =>
    sql`(select started_at, call_id, ${sql.lit(sure)} as sure from call_values
      where key = ${key} and ${narrowed} ${inOrder})`
  const known =
    keys.length <= maxMergedKeys
      ? keys.map((key) => withKey(sql`${key}::bigint`, true))
      : [manyKeys(keys, narrowed, inOrder, order?.most)]
  const sure = [...onSides, ...known]
  const parts = unsure === undefined ? sure : [...sure, withKey(sql`${unsure}::bigint`, false)]
  const none = sql`(select started_at, call_id, true as sure from call_values where false)`
  const all = parts.length === 0 ? none : sql.join(parts, sql` union all `)
  const once = sql`select distinct on (started_at, call_id) started_at, call_id, sure from (${all}) as parts
    order by started_at ${direction}, call_id ${direction}`
  return sql<{ started_at: Date; call_id: string; sure: boolean }>`(${overlapping ? once : all})`.as('found')
}

/** A look-up for each call. As a join, PostgreSQL would read all calls with these keys first. */
function hasBeside(keys: readonly string[]): RawBuilder<unknown> {
  return sql` and (select true from call_values as beside where beside.key = any(${keys}::bigint[])
    and beside.started_at = call_values.started_at and beside.call_id = call_values.call_id limit 1)`
}

function manyKeys(
  keys: readonly string[],
  narrowed: RawBuilder<unknown>,
  inOrder: RawBuilder<unknown>,
  most: FoundOrder['most'],
): RawBuilder<unknown> {
  if (!most) {
    return sql`(select started_at, call_id, true as sure from call_values
      where key = any(${keys}::bigint[]) and ${narrowed})`
  }
  return sql`(select newest.started_at, newest.call_id, true as sure
    from unnest(${keys}::bigint[]) as asked (key), lateral (
      select started_at, call_id from call_values
      where key = asked.key and ${narrowed} and ${most.after} ${inOrder} limit ${most.calls}) as newest)`
}
