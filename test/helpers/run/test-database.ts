/** A separate database for each test file, copied from a template that has every migration. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the server the tests run on. */
    adminUrl: string
    template: string
  }
}

/**
 * The sessions of this database that wait for the lock of a table. Not from pg_stat_activity: within a transaction that
 * stays as it was when it was first read.
 */
export const waitingForTable = `select pid from pg_locks where not granted and locktype = 'relation'
  and database = (select oid from pg_database where datname = current_database())`

export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = inject('adminUrl')
  const name = `ramal_test_${randomBytes(6).toString('hex')}`
  // Copies files: half the work of the default, which writes every page to the log as well.
  await runAs(adminUrl, `create database ${name} template ${inject('template')} strategy file_copy`)
  return {
    url: withDatabase(adminUrl, name),
    drop: () => dropDatabase(adminUrl, name),
  }
}

/** Makes a database unreachable, as if its server were down. */
export async function hideDatabase(url: string): Promise<{ show: () => Promise<void> }> {
  const adminUrl = inject('adminUrl')
  const name = new URL(url).pathname.slice(1)
  const hidden = `hidden_${randomBytes(4).toString('hex')}`
  await runAs(adminUrl, `alter database ${name} allow_connections false`)
  await runAs(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await runAs(adminUrl, `alter database ${name} rename to ${hidden}`)
  return {
    async show() {
      await runAs(adminUrl, `alter database ${hidden} rename to ${name}`)
      await runAs(adminUrl, `alter database ${name} allow_connections true`)
    },
  }
}

const inUse = '55006'
const notAllowed = '42501'
const dropPatience = 30_000

/**
 * PostgreSQL itself sends autovacuum away from a database that is dropped, but not from one dropped `with (force)`:
 * there it asks whether we may end a process of the superuser. So force is for sessions of our own only.
 */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (const began = performance.now(); ; await sleep(50)) {
    try {
      return await runAs(adminUrl, `drop database if exists ${name}`)
    } catch (error) {
      if (!isError(error, inUse) || performance.now() - began > dropPatience) throw error
    }
    try {
      return await runAs(adminUrl, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (!isError(error, notAllowed)) throw error
    }
  }
}

const isError = (error: unknown, code: string) => error instanceof pg.DatabaseError && error.code === code

export async function runAs(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/** Makes the database read-only for everybody, as a demoted primary is, or writable again. */
export async function setReadOnly({ url }: { url: string }, readOnly: boolean) {
  const adminUrl = inject('adminUrl')
  const name = new URL(url).pathname.slice(1)
  await runAs(
    adminUrl,
    `alter database ${name} set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
  )
  await runAs(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}
