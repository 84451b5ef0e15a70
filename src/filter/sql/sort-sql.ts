/** The order of a list as SQL: what its rows are sorted by, and which of them come after a given one. */
import { type RawBuilder, sql } from 'kysely'
import type { SortKey } from '../cursor.ts'
import type { ListQuery } from '../list-query.ts'
import type { Order } from '../order.ts'
import { casts, inOrder } from './column-sql.ts'
import { scalarText, valueAt } from './json-path-sql.ts'
import { anyOf, type Bool } from './test-sql.ts'

type Part = {
  value: RawBuilder<unknown>
  descending: boolean
  /** Nulls come first, descending last. */
  nullable: boolean
  /** As text in a sort key, and back. */
  toText: RawBuilder<unknown>
  fromText: (text: string) => RawBuilder<unknown>
}

type Sorted = Pick<ListQuery, 'order' | 'id'>

/** The caller's order, with the id as last key so that pages neither repeat nor skip rows (D22). */
function partsOf({ order, id }: Sorted): Part[] {
  const parts = order.flatMap(orderParts)
  if (order.some(({ target }) => target.field.column === id)) return parts
  const value = sql.ref(id)
  // A parameter without a type takes the column's.
  const fromText = (text: string) => sql`${text}`
  const descending = order.at(-1)?.descending ?? false
  return [...parts, { value, descending, nullable: false, toText: sql`${value}::text`, fromText }]
}

/** At a json path nulls come first, then texts, then numbers by value. */
function orderParts({ target: { field, keys }, descending }: Order): Part[] {
  if (field.kind === 'json') {
    const value = valueAt(field.column, keys)
    const number = sql`(case when jsonb_typeof(${value}) = 'number' then ${value} end)`
    return [
      {
        value: number,
        descending,
        nullable: true,
        toText: sql`${number}::text`,
        fromText: (text) => sql`${text}::jsonb`,
      },
      {
        value: sql`${scalarText(value)} collate "C"`,
        descending,
        nullable: true,
        toText: scalarText(value),
        fromText: (text) => sql`${text}::text`,
      },
    ]
  }
  const value = inOrder(field)
  const part = { value, descending, nullable: field.nullable ?? false }
  if (field.kind !== 'instant') {
    return [{ ...part, toText: sql`${value}::text`, fromText: (text) => sql`${text}${casts[field.kind]}` }]
  }
  // Whole microseconds: the text of a timestamp depends on the session's time zone.
  return [
    {
      ...part,
      toText: sql`(extract(epoch from ${value}) * 1000000)::bigint::text`,
      fromText: (text) => sql`(timestamptz 'epoch' + ${text}::bigint * interval '1 microsecond')`,
    },
  ]
}

export function orderSql(query: Sorted): RawBuilder<unknown> {
  return sql`${sql.join(partsOf(query).map(directed))}`
}

function directed({ value, descending, nullable }: Part): RawBuilder<unknown> {
  if (nullable) return descending ? sql`${value} desc nulls last` : sql`${value} asc nulls first`
  return descending ? sql`${value} desc` : sql`${value} asc`
}

export function sortKeySql(query: Sorted): RawBuilder<SortKey> {
  return sql`array[${sql.join(partsOf(query).map(({ toText }) => toText))}]`
}

/** The rows that come after the one with this key. */
export function afterSql(query: Sorted, key: SortKey): Bool {
  const parts = partsOf(query)
  const [first] = parts
  const oneWay = parts.every(({ descending, nullable }) => !nullable && descending === first?.descending)
  if (oneWay && !key.includes(null)) {
    // A comparison of rows, which an index serves.
    const values = sql.join(parts.map(({ value }) => value))
    const limits = sql.join(parts.map(({ fromText }, index) => fromText(key[index] ?? '')))
    return first?.descending ? sql`(${values}) < (${limits})` : sql`(${values}) > (${limits})`
  }
  const steps = parts.map((part, index) => {
    const equals = parts.slice(0, index).map((before, at) => equal(before, key[at] ?? null))
    return sql`(${sql.join([...equals, after(part, key[index] ?? null)], sql` and `)})`
  })
  return sql`(${anyOf(steps as Bool[])})`
}

function equal({ value, fromText }: Part, text: string | null): RawBuilder<unknown> {
  return text === null ? sql`${value} is null` : sql`${value} = ${fromText(text)}`
}

function after({ value, descending, nullable, fromText }: Part, text: string | null): RawBuilder<unknown> {
  if (text === null) return descending ? sql`false` : sql`${value} is not null`
  if (!descending) return sql`${value} > ${fromText(text)}`
  return nullable
    ? sql`(${value} < ${fromText(text)} or ${value} is null)`
    : sql`${value} < ${fromText(text)}`
}
