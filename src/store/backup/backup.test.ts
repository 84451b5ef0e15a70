/** D262, D263: a backup of the database while it is written to, and what is read back from it. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { accountIdOf, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { openDatabase, openPool } from '../database.ts'
import { readBackup, writeBackup } from './backup-file.ts'
import { dumpLines, withSession } from './dump.ts'

let service: Service
let domain: string
let home: string
let file: string
const databases: Awaited<ReturnType<typeof createTestDatabase>>[] = []

beforeAll(async () => {
  service = await startService()
  const admin = await openAccount(service)
  domain = admin.domain
  const metadata = { quote: '"\\{},NULL\n\u2028', 'quebra\r\n': 'ç', big: 12345678901234567890n.toString() }
  await insertCalls(service.db, await accountIdOf(service.db, domain), [
    { metadata, metadata_sent: '{"n": 1.10, "x": "\u2029\t\\\\"}', first_name: 'NULL', last_name: '' },
  ])
})
afterAll(async () => {
  await service.stop()
  for (const { drop } of databases) await drop()
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-backup-'))
  file = join(home, 'database.jsonl.gz')
})
afterEach(() => rm(home, { recursive: true }))

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase()
  databases.push(database)
  return database.url
}

const backUp = () => writeBackup({ connectionString: service.database.url }, file, new Date())
const restore = async (url: string) => await readBackup({ connectionString: url }, file)

/** Every line but the header, in an order of its own: rows have none. */
const contentsOf = (url: string) =>
  withSession({ connectionString: url }, async (session) => {
    let text = ''
    for await (const lines of dumpLines(session, new Date(0))) text += lines
    return text.split('\n').slice(1).sort()
  })

test('what is read back is equal to the last row and character, and numbers go on where they were', async () => {
  await service.app.jobs.stop()
  await backUp()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const url = await emptyDatabase()
  expect(await restore(url)).toBeGreaterThan(5)
  expect(await contentsOf(url)).toEqual(await contentsOf(service.database.url))
  const db = openDatabase(openPool({ connectionString: url }, { size: 1, onError: () => {} }))
  const before = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const columns = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
  const { id: _id, ...rest } = columns
  const next = await db
    .insertInto('accounts')
    .values({ ...rest, uuid: crypto.randomUUID(), domain: 'next.ramal.localhost' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(next.id).toBeGreaterThan(before.id)
  await db.destroy()
})

test('under writers it holds one moment: the books of the restored database add up', async () => {
  const { ledger } = service.app.services.money
  let entered = 0
  let finished = false
  const writers = [1, 2, 3].map(async (writer) => {
    while (!finished) {
      await ledger.adjust({ domain, amount: 100, reason: 'test', reference: `test:${writer}-${entered}` })
      entered += 1
    }
  })
  await expect.poll(() => entered).toBeGreaterThan(10)
  await backUp()
  const duringBackup = entered
  finished = true
  await Promise.all(writers)
  const url = await emptyDatabase()
  await restore(url)
  const db = openDatabase(openPool({ connectionString: url }, { size: 2, onError: () => {} }))
  const { findings, entries } = await verifyLedger(db)
  await db.destroy()
  expect(findings).toEqual([])
  expect(entries).toBeGreaterThan(10)
  // Each adjustment is two entries at most, besides what was there.
  expect(entries).toBeLessThan(2 * (duringBackup + 3) + 20)
})

test('a database that is in use, and an incomplete, damaged or newer backup are refused; nothing is changed', async () => {
  await backUp()
  await expect(restore(service.database.url)).rejects.toThrow(/not empty/)
  const url = await emptyDatabase()
  const before = await contentsOf(url)
  const whole = await readFile(file)
  const lines = gunzipSync(whole).toString().split('\n')
  const damages: [Buffer, RegExp][] = [
    [gzipSync(lines.slice(0, -2).join('\n')), /incomplete/],
    [whole.subarray(0, whole.length / 2), /damaged/],
    [gzipSync('{"other": 1}\n'), /not a backup/],
    [
      gzipSync(lines.join('\n').replace('"migrations":[', '"migrations":["20990101T000000Z-x.sql",')),
      /newer/,
    ],
  ]
  for (const [bytes, sentence] of damages) {
    await writeFile(file, bytes)
    await expect(restore(url)).rejects.toThrow(sentence)
    expect(await contentsOf(url)).toEqual(before)
  }
  await writeFile(file, whole)
  expect(await restore(url)).toBeGreaterThan(5)
})
