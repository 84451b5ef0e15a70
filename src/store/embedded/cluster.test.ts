import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { makeScratch } from './testing/scratch.ts'

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: () => {} })

test('refuses a cluster of another version', async () => {
  const dataDir = makeScratch()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '9\n')
  await expect(start(dataDir)).rejects.toThrow(/made by PostgreSQL 9 .* DATABASE_URL/)
})

test('refuses a folder that holds something else', async () => {
  const dataDir = makeScratch()
  mkdirSync(join(dataDir, 'postgres/photos'), { recursive: true })
  await expect(start(dataDir)).rejects.toThrow(/not a PostgreSQL database.* DATABASE_URL/)
})

test('refuses a file', async () => {
  const file = join(makeScratch(), 'file')
  writeFileSync(file, 'mine')
  await expect(start(file)).rejects.toThrow(/is not a folder.* DATABASE_URL/)
  expect(readFileSync(file, 'utf8')).toBe('mine')
})
