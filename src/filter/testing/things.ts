/** A table with a column of every kind, shared by two accounts, for the tests of this module. */
import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { defineList } from '../list.ts'
import type { ListQuery, PagedQuery } from '../list-query.ts'
import { applyList } from '../sql/list-sql.ts'
import { selectRows } from '../sql/page-sql.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Thing = {
  account: number
  id: string
  name: string | null
  email: string
  size: number | null
  /** Centavos. */
  price: number | null
  made_at: string | null
  ready: boolean | null
  role: string
  metadata: Json
}

export const roles = ['ADMIN', 'USER', 'a%b']

export const thingList = defineList({
  fields: {
    id: { kind: 'uuid', column: 'things.id' },
    name: { kind: 'text', column: 'things.name', nullable: true },
    alias: { aliasOf: 'name' },
    email: { kind: 'text', column: 'things.email', lowercase: true },
    size: { kind: 'integer', column: 'things.size', nullable: true },
    price: { kind: 'decimal', scale: 2, column: 'things.price', nullable: true },
    madeAt: { kind: 'instant', column: 'things.made_at', nullable: true },
    ready: { kind: 'boolean', column: 'things.ready', nullable: true },
    role: { kind: 'choice', choices: roles, column: 'things.role' },
    metadata: { kind: 'json', column: 'things.metadata' },
  },
  shows: ['id', 'name', 'secret'],
  order: 'size DESC',
  id: 'things.id',
  example: { where: { id: 1 } },
})

const columns = `account int not null, id uuid primary key, name text, email text not null, size int,
  price bigint, made_at timestamptz, ready boolean, role text not null, metadata jsonb`

type Database = { things: Thing }

export type ThingTable = Awaited<ReturnType<typeof createThingTable>>

export async function createThingTable(pool: pg.Pool) {
  const schema = `filter_${randomBytes(6).toString('hex')}`
  await pool.query(`create schema ${schema}; create table ${schema}.things (${columns})`)
  await pool.query(`create index on ${schema}.things using gin (metadata)`)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema)

  async function fill(things: readonly Thing[]) {
    await pool.query(`truncate ${schema}.things`)
    await pool.query(
      `insert into ${schema}.things select * from jsonb_to_recordset($1::jsonb) as row (${columns.replaceAll(/ (?:not null|primary key)/g, '')})`,
      [JSON.stringify(things)],
    )
  }

  /** The account's rows that a request asks for. */
  async function list(account: number, query: ListQuery) {
    const rows = db.selectFrom('things').select(['things.id', 'things.account'])
    return await applyList(rows.where('account', '=', account), query).execute()
  }

  async function page(account: number, query: PagedQuery) {
    const rows = db.selectFrom('things').select(['things.id', 'things.account'])
    return await selectRows(rows.where('account', '=', account), query)
  }

  async function drop() {
    await pool.query(`drop schema ${schema} cascade`)
  }
  return { fill, list, page, drop }
}
