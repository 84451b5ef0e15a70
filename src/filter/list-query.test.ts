import { describe, expect, test } from 'vitest'
import { readBareList, readPagedList } from './list-query.ts'
import { thingList } from './testing/things.ts'

const reader = { timeZone: 'America/Sao_Paulo' }
const paged = (filter: unknown, page = '1') =>
  readPagedList(thingList, { page, filter: JSON.stringify(filter) }, reader)
const bare = (filter: unknown) => readBareList(thingList, { filter: JSON.stringify(filter) }, reader)
const where = (raw: unknown) => bare({ where: raw })

describe('a list in pages', () => {
  test('has 100 rows a page, or as many as the limit says', () => {
    expect(paged({})).toMatchObject({ page: 1, limit: 100, offset: 0 })
    expect(paged({ limit: 1000 }, '3')).toMatchObject({ limit: 1000, offset: 2000 })
    expect(paged({ limit: '2' }, '3')).toMatchObject({ limit: 2, offset: 4 })
  })

  test('skips the offset first, then the pages before', () => {
    expect(paged({ offset: 5, limit: 10 }, '3').offset).toBe(25)
    expect(paged({ skip: 5 }).offset).toBe(5)
    expect(paged({ skip: 5, offset: 5 }).offset).toBe(5)
    expect(() => paged({ skip: 5, offset: 6 })).toThrow('filter.skip: differs from filter.offset')
  })

  test('begins at page 1, and needs its page only if paging is strict', () => {
    expect(readPagedList(thingList, {}, reader).page).toBe(1)
    expect(() => readPagedList(thingList, {}, { ...reader, strictPaging: true })).toThrow('page is required.')
  })
})

test('null is a key that is left out, an empty list no order (D376)', () => {
  for (const key of ['where', 'order', 'limit', 'offset', 'skip', 'fields', 'include']) {
    expect(paged({ [key]: null }), key).toEqual(paged({}))
  }
  expect(paged({ order: [] })).toEqual(paged({}))
})

describe('a list without pages', () => {
  test('has all rows up to 1000', () => {
    expect(bare({})).toMatchObject({ limit: 1000, offset: 0 })
    expect(bare({ limit: 10, offset: 20 })).toMatchObject({ limit: 10, offset: 20 })
  })

  test('knows no page', () => {
    expect(() => readBareList(thingList, { page: '1' }, reader)).toThrow('page: is not a known parameter')
  })
})

describe('a filter is refused, by the path of what is wrong', () => {
  test.each([
    [{ wher: {} }, 'filter.wher: is not a known key'],
    [{ limit: 0 }, 'filter.limit: must be a whole number from 1 to 1000'],
    [{ limit: 1001 }, 'filter.limit: must be a whole number from 1 to 1000'],
    [{ offset: -1 }, 'filter.offset: must be a whole number from 0 to 2147483647'],
    [{ skip: 'x' }, 'filter.skip: must be a whole number from 0 to 2147483647'],
    [{ where: [] }, 'filter.where: must be an object'],
    [{ where: 'x' }, 'filter.where: must be an object'],
    [{ order: 'name UP' }, 'filter.order.name: must be followed by ASC or DESC'],
    [{ order: 'name,' }, 'filter.order: must name a field'],
    [{ order: '' }, 'filter.order: must name a field'],
    [{ order: [1] }, 'filter.order: must be text such as "name DESC"'],
    [{ order: 'name,alias DESC' }, 'filter.order: names a field twice'],
    [{ order: 'secret' }, 'filter.order.secret: is not a known field'],
    [{ order: 'metadata' }, 'filter.order.metadata: needs a key, as in metadata.key'],
    [{ order: Array(11).fill('name') }, 'filter.order: must not name more than 10 fields'],
  ])('%j', (filter, message) => {
    expect(() => bare(filter)).toThrow(message)
  })

  test.each([
    [{ secret: 'x' }, 'filter.where.secret: is not a known field'],
    [{ constructor: 'x' }, 'filter.where.constructor: is not a known field'],
    [JSON.parse('{"__proto__":{"eq":1}}'), 'filter.where.__proto__: is not a known field'],
    [{ 'name.first': 'x' }, 'filter.where.name.first: is not a known field'],
    [{ metadata: 1 }, 'filter.where.metadata: needs a key, as in metadata.key'],
    [{ metadata: null }, 'filter.where.metadata: needs a key, as in metadata.key'],
    [{ metadata: { a: {} } }, 'filter.where.metadata.a: must name a key or an operator'],
    [{ metadata: { a: [1] } }, 'filter.where.metadata.a: must be text'],
    [{ metadata: { '': 1 } }, 'filter.where.metadata.: has an empty key'],
    [
      { metadata: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } },
      'filter.where.metadata.a.b.c.d.e.f.g.h.i: has more than 8 keys',
    ],
    [{ 'metadata..a': 1 }, 'filter.where.metadata..a: has an empty key'],
    [{ 'metadata.a\0': 1 }, 'must not contain the NUL character'],
    [{ 'metadata.a.b.c.d.e.f.g.h.i': 1 }, 'has more than 8 keys'],
    [{ 'metadata.a': { eq: { b: 1 } } }, 'filter.where.metadata.a.eq: must be text'],
    [{ 'metadata.a': { gt: true } }, 'filter.where.metadata.a.gt: must be a number or text'],
    [
      { 'metadata.a': { between: [1, 'b'] } },
      'filter.where.metadata.a.between: must be two numbers or two texts',
    ],
    [{ size: { gt: 'ten' } }, 'filter.where.size.gt: must be a number'],
    [{ size: { gt: null } }, 'filter.where.size.gt: must not be null'],
    [{ size: {} }, 'filter.where.size: must name an operator'],
    [{ size: [1] }, 'filter.where.size: must be a number'],
    [{ size: { near: 1 } }, 'filter.where.size.near: is not a known operator'],
    [{ size: { $gt: 1 } }, 'filter.where.size.$gt: is not a known operator'],
    [{ size: { toString: 1 } }, 'filter.where.size.toString: is not a known operator'],
    [{ size: { inq: 1 } }, 'filter.where.size.inq: must be an array'],
    [{ size: { inq: [1, 'x'] } }, 'filter.where.size.inq[1]: must be a number'],
    [{ size: { nin: Array(501).fill(1) } }, 'filter.where.size.nin: must not list more than 500 values'],
    [{ size: { between: [1] } }, 'filter.where.size.between: must be an array of two values'],
    [{ size: { between: [1, null] } }, 'filter.where.size.between[1]: must not be null'],
    [{ size: { like: '1' } }, 'filter.where.size.like: works on text only'],
    [{ name: { like: 1 } }, 'filter.where.name.like: must be text'],
    [{ name: { like: 'x'.repeat(201) } }, 'filter.where.name.like: must not be longer than 200 characters'],
    [{ name: { regexp: '/a/g' } }, 'filter.where.name.regexp: may carry no flag but i'],
    [{ name: { options: 'i' } }, 'filter.where.name: must name an operator'],
    [{ name: { eq: 'a', options: 'i' } }, 'filter.where.name.options: goes with like, nlike or regexp'],
    [{ name: { ilike: 'a', options: 'i' } }, 'filter.where.name.options: goes with like, nlike or regexp'],
    [{ name: { like: 'a', options: 'x' } }, 'filter.where.name.options: must be "i"'],
    [{ and: {} }, 'filter.where.and: must be an array'],
    [{ or: [{ name: 'a' }, 1] }, 'filter.where.or[1]: must be an object'],
  ])('where %j', (raw, message) => {
    expect(() => where(raw)).toThrow(message)
  })
})

describe('a filter is bounded', () => {
  test('in depth', () => {
    const nest = (depth: number): object => (depth === 1 ? { name: 'a' } : { and: [nest(depth - 1)] })
    expect(() => where(nest(12))).not.toThrow()
    expect(() => where(nest(13))).toThrow('is nested deeper than 12')
  })

  test('in the size of numbers', () => {
    const filter = '{"where":{"metadata.a":{"gt":1e999999}}}'
    expect(() => readBareList(thingList, { filter }, reader)).toThrow(
      'filter.where.metadata.a.gt: is out of range',
    )
  })

  test('in depth before it is even read', () => {
    const deep = `{"where":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect(() => readBareList(thingList, { filter: deep }, reader)).toThrow('filter.where: must be an object')
  })

  test('in conditions: every operator is one, and so is an empty branch', () => {
    const or = (count: number, one: object) => ({ or: Array(count).fill(one) })
    expect(() => where(or(50, { size: { gt: 1, lt: 5 } }))).not.toThrow()
    expect(() => where(or(51, { size: { gt: 1, lt: 5 } }))).toThrow('a filter has at most 100 conditions')
    expect(() => where(or(101, {}))).toThrow('a filter has at most 100 conditions')
    expect(() => where(or(101, { and: [] }))).toThrow('a filter has at most 100 conditions')
  })

  test('in regular expressions', () => {
    expect(() => where({ or: Array(6).fill({ name: { regexp: 'a' } }) })).toThrow('at most 5 regexps')
  })
})

describe('a document in where is its dotted form (D130)', () => {
  test.each([
    [{ metadata: { a: 1 } }, { 'metadata.a': 1 }],
    [{ metadata: { a: 1, b: { c: 2 } } }, { and: [{ 'metadata.a': 1, 'metadata.b.c': 2 }] }],
    [{ metadata: { a: { gt: 1, lt: 5 } } }, { 'metadata.a': { gt: 1, lt: 5 } }],
    [{ metadata: { like: 'x' } }, { 'metadata.like': 'x' }],
    [{ metadata: { a: { like: 'x', options: 'i' } } }, { 'metadata.a': { like: 'x', options: 'i' } }],
    [{ or: [{ metadata: { a: null } }] }, { or: [{ 'metadata.a': null }] }],
    [{ metadata: {} }, { and: [] }],
  ])('%j', (nested, dotted) => {
    expect(flat(where(nested).where)).toEqual(flat(where(dotted).where))
  })

  test('a key is taken as it is: dots do not split it, and __proto__ is a key', () => {
    expect(flat(where({ metadata: { 'a.b': 1 } }).where)).toMatchObject([{ target: { keys: ['a.b'] } }])
    const hostile = JSON.parse('{"metadata":{"__proto__":{"x":1}}}')
    expect(flat(where(hostile).where)).toMatchObject([{ target: { keys: ['__proto__', 'x'] } }])
  })

  const flat = (condition: object): object[] => {
    if ('all' in condition) return (condition.all as object[]).flatMap(flat)
    return 'any' in condition ? (condition.any as object[]).flatMap(flat) : [condition]
  }
})

describe('include in the shapes of LoopBack (D132)', () => {
  test.each([
    [[]],
    [null],
    ['user'],
    [['user', 'extension']],
    [{ relation: 'user' }],
    [[{ relation: 'user', scope: { fields: ['name'] } }]],
    [{ user: 'account' }],
    [[{ user: ['account', { relation: 'calls' }] }]],
  ])('%j is taken and adds nothing', (include) => {
    expect(bare({ include })).toEqual(bare({}))
  })

  test.each([
    [7, 'filter.include: must be the name of a relation'],
    ['', 'filter.include: must be the name of a relation'],
    [[true], 'filter.include[0]: must be the name of a relation'],
    [{ relation: 7 }, 'filter.include.relation: must be the name of a relation'],
    [[{ relation: 'user', scope: 'x' }], 'filter.include[0].scope: must be an object'],
    [{ user: 1 }, 'filter.include.user: must be the name of a relation'],
    [JSON.parse('['.repeat(50) + ']'.repeat(50)), 'is nested deeper than 12'],
  ])('%j is refused', (include, message) => {
    expect(() => bare({ include })).toThrow(message)
  })
})

test('an id that is no UUID is equal to none (D133)', () => {
  const uuid = '00000000-0000-4000-8000-000000000001'
  const leaf = (id: unknown) => JSON.stringify(where({ id }).where)
  expect(leaf('abc')).toContain('"values":[]')
  expect(leaf(7)).toContain('"values":[]')
  expect(leaf({ inq: ['abc', uuid.toUpperCase(), null] })).toContain(`"values":["${uuid}",null]`)
  expect(() => where({ id: { gt: 'abc' } })).toThrow('filter.where.id.gt: must be a UUID')
  expect(() => where({ id: [] })).toThrow('filter.where.id: must be text')
})

test('a regular expression may stand in slashes with the flag i', () => {
  const tests = ['/a/i', '/a/', 'a', '/a'].map((regexp) => where({ name: { regexp } }).where)
  const found = tests.map((condition) =>
    JSON.stringify(condition).match(/"pattern":"(.*?)","ignoreCase":(\w+)/),
  )
  expect(found.map((one) => one?.slice(1))).toEqual([
    ['(?:a)', 'true'],
    ['(?:a)', 'false'],
    ['(?:a)', 'false'],
    ['(?:\\\\u002fa)', 'false'],
  ])
})

test('brackets and JSON say the same', () => {
  const query = {
    'filter[where][size][gt]': '1',
    'filter[where][or][0][name]': 'a',
    'filter[where][or][1][metadata.n][lt]': '5',
    'filter[order][0]': 'name DESC',
    'filter[limit]': '5',
  }
  const json = {
    where: { size: { gt: 1 }, or: [{ name: 'a' }, { 'metadata.n': { lt: 5 } }] },
    order: ['name DESC'],
    limit: 5,
  }
  expect(readBareList(thingList, query, reader)).toEqual(bare(json))
})
