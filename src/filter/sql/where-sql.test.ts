import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readBareList } from '../list-query.ts'
import { thingList } from '../testing/things.ts'
import { applyList } from './list-sql.ts'
import { filterMark, whereSql } from './where-sql.ts'

const db = new Kysely<{ things: { id: string } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (any) => new PostgresIntrospector(any),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const read = (filter: object) =>
  readBareList(thingList, { filter: JSON.stringify(filter) }, { timeZone: 'America/Sao_Paulo' })

function sqlOf(where: object) {
  const { sql, parameters } = whereSql(read({ where }).where).compile(db)
  expect(sql.startsWith(filterMark)).toBe(true)
  return [sql.slice(filterMark.length + 1), ...parameters]
}

function orderOf(order?: string) {
  const query = applyList(db.selectFrom('things').select('id'), read(order === undefined ? {} : { order }))
  return query.compile().sql.match(/order by (.*) limit/)?.[1]
}

describe('a condition (D24)', () => {
  test('is one closed expression, true when nothing is asked', () => {
    expect(sqlOf({})).toEqual(['true'])
    expect(sqlOf({ or: [] })).toEqual(['false'])
    expect(sqlOf({ or: [{ size: 1 }, { size: 2 }] })).toEqual([
      '(("things"."size" = $1::bigint) or ("things"."size" = $2::bigint))',
      '1',
      '2',
    ])
  })

  test('keeps every value and every key out of the SQL text', () => {
    const hostile = "'; drop table things; --"
    const [sql, ...parameters] = sqlOf({ name: hostile, [`metadata.${hostile}`]: { gt: hostile } })
    expect(sql).not.toContain('drop')
    expect(parameters).toContain(hostile)
  })

  test('holds for nulls where it is negated', () => {
    expect(sqlOf({ name: { neq: 'a' } })[0]).toContain('is not true')
  })

  test('of equality at a json path has containment in it, which a GIN index serves', () => {
    expect(sqlOf({ 'metadata.a.b': 42 })).toEqual([
      '((("things"."metadata" -> $1::text -> $2::text) = any($3::jsonb[]) and "things"."metadata" @> any($4::jsonb[])))',
      'a',
      'b',
      ['"42"', '42'],
      ['{"a":{"b":"42"}}', '{"a":{"b":42}}'],
    ])
    expect(sqlOf({ 'metadata.__proto__': 'x' })).toContainEqual(['{"__proto__":"x"}'])
  })
})

describe('the order', () => {
  test('ends with the id, in the direction of the key before', () => {
    expect(orderOf()).toBe('"things"."size" desc nulls last, "things"."id" desc')
    expect(orderOf('size')).toBe('"things"."size" asc nulls first, "things"."id" asc')
    expect(orderOf('id DESC')).toBe('"things"."id" desc')
  })

  test('speaks of nulls only where there may be any, so that an index can serve it', () => {
    expect(orderOf('email DESC')).toBe('"things"."email" collate "C" desc, "things"."id" desc')
  })
})
