import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBareList } from '../list-query.ts'
import { connectTestDatabase } from '../testing/test-pool.ts'
import { createThingTable, type Json, type Thing, type ThingTable, thingList } from '../testing/things.ts'

const documents: Record<string, Json> = {
  number: { a: 42 },
  text: { a: '42' },
  list: { a: [42] },
  object: { a: { b: 42, 0: 'zero' } },
  truth: { a: true },
  empty: { a: null },
  absent: {},
  bare: 42,
}
const names = Object.keys(documents)

const pool = connectTestDatabase()
let table: ThingTable

beforeAll(async () => {
  table = await createThingTable(pool)
  await table.fill(names.map((name, at) => row(name, at)))
})

afterAll(async () => {
  await table.drop()
  await pool.end()
})

function row(name: string, at: number): Thing {
  const id = `00000000-0000-4000-8000-00000000000${at}`
  const rest = { email: '', size: null, price: null, made_at: null, ready: null, role: 'USER' }
  return { account: 1, id, name, ...rest, metadata: documents[name] ?? null }
}

async function find(filter: object): Promise<string[]> {
  const query = readBareList(
    thingList,
    { filter: JSON.stringify({ order: 'id', ...filter }) },
    { timeZone: 'UTC' },
  )
  const rows = await table.list(1, query)
  return rows.map(({ id }) => names[Number(id.at(-1))] ?? '')
}

describe('at a json path (D28)', () => {
  test.each([[42], ['42'], ['42.0'], ['4.2e1']])('%j equals the number 42', async (value) => {
    expect(await find({ where: { 'metadata.a': value } })).toContain('number')
  })

  test('equality finds numbers and texts alike, but never looks into a list', async () => {
    expect(await find({ where: { 'metadata.a': 42 } })).toEqual(['number', 'text'])
    expect(await find({ where: { 'metadata.a': 'true' } })).toEqual(['truth'])
    expect(await find({ where: { 'metadata.a': { inq: [true, 42] } } })).toEqual(['number', 'text', 'truth'])
  })

  test('what is absent, or null, is null', async () => {
    expect(await find({ where: { 'metadata.a': null } })).toEqual(['empty', 'absent', 'bare'])
    expect(await find({ where: { 'metadata.a': { neq: null } } })).toEqual([
      'number',
      'text',
      'list',
      'object',
      'truth',
    ])
    expect(await find({ where: { 'metadata.a': { inq: [null, true] } } })).toEqual([
      'truth',
      'empty',
      'absent',
      'bare',
    ])
  })

  test('differing from a value includes nulls, lists and objects', async () => {
    expect(await find({ where: { 'metadata.a': { neq: 42 } } })).toEqual([
      'list',
      'object',
      'truth',
      'empty',
      'absent',
      'bare',
    ])
  })

  test('a number compares with numbers, a text with texts', async () => {
    expect(await find({ where: { 'metadata.a': { gte: 42 } } })).toEqual(['number'])
    expect(await find({ where: { 'metadata.a': { gte: '42' } } })).toEqual(['text'])
    expect(await find({ where: { 'metadata.a': { between: [41.5, 42] } } })).toEqual(['number'])
  })

  test('patterns see the text of a number or a boolean', async () => {
    expect(await find({ where: { 'metadata.a': { like: '4_' } } })).toEqual(['number', 'text'])
    expect(await find({ where: { 'metadata.a': { regexp: '^tr' } } })).toEqual(['truth'])
  })

  test('keys go through objects only', async () => {
    expect(await find({ where: { 'metadata.a.b': 42 } })).toEqual(['object'])
    expect(await find({ where: { 'metadata.a.0': { neq: null } } })).toEqual(['object'])
  })

  test('order is nulls, texts, numbers', async () => {
    expect(await find({ order: 'metadata.a' })).toEqual([
      'list',
      'object',
      'empty',
      'absent',
      'bare',
      'text',
      'truth',
      'number',
    ])
    expect(await find({ order: 'metadata.a DESC, id ASC' })).toEqual([
      'number',
      'truth',
      'text',
      'list',
      'object',
      'empty',
      'absent',
      'bare',
    ])
  })
})
