/** A separate database for each test file, copied from a template that has every migration. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the server the tests run on. */
    adminUrl: string
    template: string
  }
}

export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = inject('adminUrl')
  const name = `ramal_test_${randomBytes(6).toString('hex')}`
  await runAs(adminUrl, `create database ${name} template ${inject('template')}`)
  return {
    url: withDatabase(adminUrl, name),
    drop: () => runAs(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

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
