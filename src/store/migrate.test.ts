import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, runAs } from '../../test/helpers/run/test-database.ts'
import { describeSchema } from '../../tools/describe-schema.ts'
import { openPool } from './database.ts'
import { advisoryLock, breakingMark, type Migration, migrate, readMigrations } from './migrate.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: pg.Pool

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const migration = (name: string, text: string): Migration => ({ name, text, checksum: `sum of ${text}` })
const exists = async (table: string) =>
  (await pool.query('select to_regclass($1) is not null as there', [table])).rows[0].there

async function withNext(...more: Migration[]) {
  return [...(await readMigrations()), ...more]
}

test('schema.sql shows the database as the migrations leave it (npm run schema writes it)', async () => {
  expect(await describeSchema(pool)).toBe(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))
})

test('what has been applied is not applied again', async () => {
  expect(await migrate(pool, await readMigrations())).toEqual([])
})

test('new ones are applied in order of their names', async () => {
  const next = await withNext(
    migration('9-a', 'create table a ()'),
    migration('9-b', 'alter table a add n int'),
  )
  expect(await migrate(pool, next)).toEqual(['9-a', '9-b'])
})

test('stops at the first failure: it leaves no trace, what came before stays, what comes after is not tried', async () => {
  const next = await withNext(
    migration('9-a', 'create table a ()'),
    migration('9-b', 'create table b (); select 1/0'),
    migration('9-c', 'create table c ()'),
  )
  await expect(migrate(pool, next)).rejects.toThrow('Migration 9-b failed: division by zero.')
  expect([await exists('a'), await exists('b'), await exists('c')]).toEqual([true, false, false])
})

test('many starters at once apply each migration once', async () => {
  const next = await withNext(migration('9-a', 'create table a (); select pg_sleep(0.1)'))
  const applied = await Promise.all([migrate(pool, next), migrate(pool, next), migrate(pool, next)])
  expect(applied.flat()).toEqual(['9-a'])
})

test('a migration that was changed after it had been applied is refused', async () => {
  const [first, ...rest] = await readMigrations()
  const changed = [{ ...(first as Migration), checksum: 'other' }, ...rest]
  await expect(migrate(pool, changed)).rejects.toThrow('was changed after it had been applied')
})

test('D226: a newer version that only added to the database is accepted, one that broke with it is not', async () => {
  const older = await readMigrations()
  await migrate(pool, await withNext(migration('9-a', 'alter table accounts add column nickname text')))
  expect(await migrate(pool, older)).toEqual([])
  await migrate(
    pool,
    await withNext(
      migration('9-a', 'alter table accounts add column nickname text'),
      migration('9-b', '-- breaking\nalter table accounts drop column nickname'),
    ),
  )
  await expect(migrate(pool, older)).rejects.toThrow('newer than this program: it has had 9-b')
})

/** Others may be older than this rule. */
const ruledFrom = '20261116'
/** D254: a partitioned table with the same columns takes the place of the renamed one; partitioned-tables.test.ts. */
const replacesTables = '20261116T024020Z-monthly-tables.sql'
const breaks = /\b(drop\s+(table|column)|rename|alter\s+column\s+\w+\s+(type|set\s+not\s+null))\b/i

test('a migration that drops, renames or narrows says that it is breaking', async () => {
  const silent = (await readMigrations()).filter(
    ({ name, text }) =>
      name >= ruledFrom && name !== replacesTables && breaks.test(text) && !text.startsWith(breakingMark),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a migration waits for a lock in short tries, so that nobody waits long behind it', async () => {
  const blocker = new pg.Client({ connectionString: database.url })
  await blocker.connect()
  await blocker.query('begin; lock table accounts')
  const next = await withNext(migration('9-a', 'alter table accounts add column nickname text'))
  await expect(migrate(pool, next, { lockMs: 20, pauseMs: 1, tries: 2 })).rejects.toThrow(/9-a failed/)
  const waiting = migrate(pool, next, { lockMs: 20, pauseMs: 1, tries: 1_000 })
  await blocker.query('select pg_sleep(0.1); rollback')
  await blocker.end()
  expect(await waiting).toEqual(['9-a'])
})

test('a process waits until another one has migrated, longer than statements wait for locks', async () => {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query(`select pg_advisory_lock(${advisoryLock})`)
  const impatient = new pg.Pool({ connectionString: database.url, lock_timeout: 20, statement_timeout: 20 })
  const next = await withNext(migration('9-a', 'create table a ()'))
  const migrating = migrate(impatient, next)
  await other.query(`select pg_sleep(0.1), pg_advisory_unlock(${advisoryLock})`)
  expect(await migrating).toEqual(['9-a'])
  await Promise.all([other.end(), impatient.end()])
})

test('a migration that is the victim of a deadlock is tried again', async () => {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query('begin; lock table balances')
  const next = await withNext(
    migration(
      '9-a',
      'alter table accounts add column nickname text; alter table balances add column nickname text',
    ),
  )
  const migrating = migrate(pool, next)
  const waits = `select from pg_locks where relation = 'balances'::regclass and not granted`
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1)
  // Whichever waits first looks for a deadlock first: the migration.
  await other.query('lock table accounts; rollback')
  await other.end()
  expect(await migrating).toEqual(['9-a'])
})

/** Those that have landed before this rule. */
const wideBefore = '20261117T090000Z'
const lockingTable =
  /\b(?:alter\s+table(?:\s+only)?|(?:create|drop)\s+trigger\s+[^;]*?\s+on|create\s+(?:unique\s+)?index[^;]*?\s+on|lock\s+table|drop\s+table|update|delete\s+from|insert\s+into)\s+(?:if\s+exists\s+)?(\w+)/gi

/** Tables that a migration locks, but for those it creates; functions only run later. */
function lockedTables(text: string): string[] {
  const now = text.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  const created = [...now.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(
    ([, name]) => name,
  )
  const locked = [...now.matchAll(lockingTable)].map(([, name]) => name ?? '')
  return [...new Set(locked)].filter((name) => !created.includes(name))
}

test('a migration locks one table at most, so that it is in no deadlock with running processes', async () => {
  const wide = (await readMigrations()).filter(
    ({ name, text }) => name > wideBefore && lockedTables(text).length > 1,
  )
  expect(wide.map(({ name, text }) => [name, lockedTables(text)])).toEqual([])
  const accountSettings = (await readMigrations()).find(({ name }) => name.endsWith('-account-settings.sql'))
  expect(lockedTables(accountSettings?.text ?? '')).toEqual(['accounts', 'balances'])
})

test('a database that is newer than the program is refused', async () => {
  await runAs(database.url, "insert into migrations (name, checksum) values ('9-future', 'x')")
  await expect(migrate(pool, await readMigrations())).rejects.toThrow(
    'newer than this program: it has had 9-future',
  )
})

test('what was entered as caller-ID before there were numbers is kept, once an account and not verified (D187)', async () => {
  const numbers = (await readMigrations()).find(({ name }) => name.endsWith('-numbers.sql'))
  await pool.query('drop table numbers')
  await pool.query(`
    insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, time_zone, created_at, updated_at)
    select gen_random_uuid(), name, name, name, '', '', '', 'UTC', now(), now()
    from unnest(array['a', 'b']) as name`)
  await pool.query(`
    insert into extensions (account_id, number, password, caller_id, caller_number, first_name, last_name, email,
      record_calls, created_at, updated_at)
    select accounts.id, number, '', caller_number, caller_number, '', '', '', false, now(), now()
    from accounts, (values ('10', '554833334444'), ('11', '554833334444'), ('12', null)) as given (number, caller_number)`)
  await pool.query(numbers?.text ?? '')
  const { rows } = await pool.query(
    'select domain, number, proof from numbers join accounts on accounts.id = account_id order by domain',
  )
  const kept = { number: '554833334444', proof: null }
  expect(rows).toEqual([
    { domain: 'a', ...kept },
    { domain: 'b', ...kept },
  ])
})
