/** `ramal secret rotate`, killed at random moments (D207). */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVault } from '../../../src/kit/vault.ts'
import { openDatabase, openPool } from '../../../src/store/database.ts'
import { createSecretKeys } from '../../../src/store/secrets/key-files.ts'
import { openVault } from '../../../src/store/secrets/open-vault.ts'
import { launch, makeDataDir, runRamal } from '../../helpers/programs/ramal-process.ts'
import { createTestDatabase } from '../../helpers/run/test-database.ts'
import { insertAccount } from '../../helpers/service/call-rows.ts'

const database = await createTestDatabase()
const data = makeDataDir()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
const env = { DATA_DIR: data.path, DATABASE_URL: database.url }
const extensions = 2_000
const purpose = 'extension password'

beforeAll(async () => {
  const vault = await openVault(db, createSecretKeys({ dataDir: data.path }))
  const account_id = await insertAccount(db)
  const now = new Date('2026-11-15T12:00:00.000Z')
  const rows = Array.from({ length: extensions }, (_, index) => ({
    account_id,
    number: String(10_000 + index),
    password: vault.seal(purpose, `password ${10_000 + index}`),
    first_name: 'Ana',
    last_name: 'Souza',
    email: 'ana@padaria.example',
    record_calls: false,
    created_at: now,
    updated_at: now,
  }))
  for (let at = 0; at < rows.length; at += 1_000) {
    await db
      .insertInto('extensions')
      .values(rows.slice(at, at + 1_000))
      .execute()
  }
})
afterAll(async () => {
  await pool.end()
  await database.drop()
  data.remove()
})

const readPasswords = () => db.selectFrom('extensions').select(['number', 'password']).execute()

async function countSealedWith(header: Buffer): Promise<number> {
  return (await readPasswords()).filter(({ password }) => password.subarray(0, 12).equals(header)).length
}

test('killed whenever, everything is readable afterwards, and another run completes it', async () => {
  const path = join(data.path, 'secret.key')
  const first = createVault(Buffer.from(readFileSync(path, 'utf8').trim(), 'hex'))
  let left = extensions
  for (let kill = 0; kill < 3; kill++) {
    const child = launch(['secret', 'rotate'], env)
    const exited = once(child, 'exit')
    const target = left - Math.ceil(Math.random() * 500)
    await expect
      .poll(async () => child.exitCode !== null || (await countSealedWith(first.header())) < target, {
        timeout: 30_000,
        interval: 10,
      })
      .toBe(true)
    child.kill('SIGKILL')
    await exited
    left = await countSealedWith(first.header())
    const vault = await openVault(db, createSecretKeys({ dataDir: data.path }))
    const rows = await readPasswords()
    expect(
      rows.filter(({ number, password }) => vault.open(purpose, password) !== `password ${number}`),
    ).toEqual([])
  }
  const { code, text } = await runRamal(['secret', 'rotate'], env)
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('sealed with the new key') })
  expect(existsSync(`${path}.next`)).toBe(false)
  const last = createVault(Buffer.from(readFileSync(path, 'utf8').trim(), 'hex'))
  expect(await countSealedWith(last.header())).toBe(extensions)
}, 120_000)
