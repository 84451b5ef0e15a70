import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTcpProxy } from '../../../test/helpers/programs/tcp-proxy.ts'
import { createTestDatabase, runAs } from '../../../test/helpers/run/test-database.ts'
import { type Database, openDatabase, openPool } from '../database.ts'
import { inPipeline, type Statements } from './pipeline.ts'

let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let db: Database

beforeAll(async () => {
  scratch = await createTestDatabase()
  await runAs(scratch.url, 'create table notes (id int primary key)')
  proxy = await startTcpProxy(scratch.url)
  db = openDatabase(openPool({ connectionString: proxy.url }, { size: 1, onError: () => {} }))
})
beforeEach(() => runAs(scratch.url, 'truncate notes'))
afterAll(async () => {
  await db.destroy()
  proxy.close()
  await scratch.drop()
})

const run = (tx: Statements, text: string, values: unknown[] = []) =>
  tx.executeQuery<{ id: number }>(CompiledQuery.raw(text, values))
const read = (tx: Statements) => run(tx, 'select id from notes order by id')
const insert = (tx: Statements, id: unknown) => run(tx, 'insert into notes values ($1) returning id', [id])
const stored = async () => (await read(db)).rows.map(({ id }) => id)

test('a transaction costs one round trip for each time that it waits', async () => {
  await stored()
  proxy.delay(20)
  const before = proxy.roundTrips()
  const [first, second] = await inPipeline(db, async (tx) => {
    await Promise.all([read(tx), read(tx)])
    await Promise.all([read(tx), read(tx)])
    return [insert(tx, 1), insert(tx, 2)]
  })
  expect(proxy.roundTrips() - before).toBe(3)
  proxy.delay(0)
  expect([first.rows, second.rows]).toEqual([[{ id: 1 }], [{ id: 2 }]])
  expect(await stored()).toEqual([1, 2])
})

test('nothing is stored if one of the last statements fails; the connection goes on', async () => {
  const twice = inPipeline(db, async (tx) => {
    await read(tx)
    return [insert(tx, 1), insert(tx, 1), insert(tx, 2)]
  })
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  expect(await stored()).toEqual([])
})

test('nothing is stored if a value cannot be sent', async () => {
  const unsendable = {
    toPostgres() {
      throw new Error('no text for this')
    },
  }
  const failing = inPipeline(db, async (tx) => {
    await read(tx)
    return [insert(tx, 1), run(tx, 'select $1', [unsendable])]
  })
  await expect(failing).rejects.toThrow('no text for this')
  expect(await stored()).toEqual([])
})

test('nothing is stored if the work between the statements fails', async () => {
  const failing = inPipeline(db, async (tx) => {
    await read(tx)
    await insert(tx, 1)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await stored()).toEqual([])
})

test('nothing is stored if the connection is lost', async () => {
  const failing = inPipeline(db, async (tx) => {
    await read(tx)
    await insert(tx, 1)
    await run(tx, 'select pg_terminate_backend(pg_backend_pid())')
    return [insert(tx, 2)]
  })
  await expect(failing).rejects.toThrow()
  expect(await stored()).toEqual([])
})
