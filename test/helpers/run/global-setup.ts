/** Runs before all tests: provides a PostgreSQL (embedded, or the one of TEST_DATABASE_URL) with a migrated template. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase, openPool } from '../../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from '../../../src/store/migrate.ts'
import { addParts, partitionedTables } from '../../../src/store/partitioned-tables.ts'
import { dropDatabase, runAs, withDatabase } from './test-database.ts'

/** Nothing of this server must survive a crash. Tests about durability start servers of their own. */
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  // Files run at once, and some start several services.
  max_connections: '200',
}

async function serve(adminUrl: string, { provide }: TestProject) {
  // Several projects, and several runs, may use one server.
  const template = `ramal_template_${randomBytes(6).toString('hex')}`
  await runAs(adminUrl, `create database ${template} encoding 'UTF8' template template0`)
  const connection = { connectionString: withDatabase(adminUrl, template) }
  const pool = openPool(connection, { size: 2, onError: () => {} })
  await migrate(pool, await readMigrations())
  for (const table of partitionedTables) await addParts(openDatabase(pool), table, new Date())
  await pool.end()
  provide('adminUrl', adminUrl)
  provide('template', template)
  return () => dropDatabase(adminUrl, template)
}

export default async function setup(project: TestProject) {
  const given = project.config.env.DATABASE_UNDER_TEST
  if (given) return await serve(given, project)

  const dataDir = await mkdtemp(join(tmpdir(), 'ramal-test-'))
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: forTests })
  const { host, port, user, database } = embedded.connection
  const drop = await serve(
    `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`.replace(
      '@/',
      '@localhost/',
    ),
    project,
  )
  return async () => {
    await drop()
    await embedded.stop()
    await rm(dataDir, { recursive: true })
  }
}
