/** D585: changed calls and charges of each day as files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountIdOf, insertCalls } from '../../test/helpers/service/call-rows.ts'
import { type MoneyService, pix, startMoneyService } from '../../test/helpers/service/money.ts'
import { openAccount } from '../../test/helpers/service/people.ts'

let service: MoneyService
const folder = mkdtempSync(join(tmpdir(), 'ramal daily '))
beforeAll(async () => {
  service = await startMoneyService({ DAILY_FILES: folder })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const calls = (length: number) => Array.from({ length }, () => ({}))
const write = () => service.tick('daily files')
const filesOf = (domain: string) =>
  readdirSync(join(folder, domain), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
/** As if the last file were of yesterday: the day is that of the database's clock. */
const nextDay = () => sql`update daily_files set written_on = written_on - 1`.execute(service.db)

test('the first file has all calls, in pages; another the charges; the next one only what was changed since', async () => {
  const ana = await openAccount(service)
  const accountId = await accountIdOf(service.db, ana.domain)
  await insertCalls(service.db, accountId, calls(450))
  const { body: charge } = await service.api.post('/charges', pix, ana)
  await write()
  const [ofCalls = '', ofCharges = ''] = filesOf(ana.domain)
  expect(ofCalls).toMatch(/calls\/\d{4}-\d\d-\d\d\.ndjson$/)
  expect(ofCharges).toMatch(/charges\/\d{4}-\d\d-\d\d\.ndjson$/)
  const { body } = await service.api.get('/calls/updated?limit=1000', ana)
  expect(body.data).toHaveLength(450)
  expect(linesOf(ofCalls)).toEqual(body.data)
  expect(linesOf(ofCharges)).toMatchObject([{ id: charge.id }])

  // Written once a day.
  await insertCalls(service.db, accountId, calls(2))
  await write()
  expect(linesOf(ofCalls)).toHaveLength(450)
  await nextDay()
  rmSync(ofCalls)
  rmSync(ofCharges)
  await write()
  expect(filesOf(ana.domain)).toEqual([ofCalls])
  expect(linesOf(ofCalls)).toHaveLength(2)
})

test('a file that a killed process did not finish is written again, whole, when its claim is over', async () => {
  const rui = await openAccount(service)
  const accountId = await accountIdOf(service.db, rui.domain)
  await insertCalls(service.db, accountId, calls(3))
  await sql`insert into daily_files (account_id, kind, claimed_until)
    values (${accountId}, 'calls', clock_timestamp() + interval '1 hour')`.execute(service.db)
  await write()
  expect(() => filesOf(rui.domain)).toThrow('ENOENT')
  await sql`update daily_files set claimed_until = clock_timestamp() where account_id = ${accountId}`.execute(
    service.db,
  )
  await write()
  expect(filesOf(rui.domain).map((path) => linesOf(path).length)).toEqual([3])
})
