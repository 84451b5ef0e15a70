/** D643: which month is due, by the time zone of the account. */
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { insertAccount } from '../../test/helpers/service/call-rows.ts'
import { openDatabase, openPool } from '../store/database.ts'
import { addReports, findDueReport, recordSent, removeReports } from './monthly-reports-store.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const dueAt = (time: string) => findDueReport(db, { now: new Date(time), except: [] })

test.each([
  ['America/Sao_Paulo', '2026-11-01T09:00:00Z', '2026-10-01T03:00:00Z', '2026-11-01T03:00:00Z'],
  ['UTC', '2026-11-01T06:00:00Z', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  // 14 hours ahead of UTC.
  ['Pacific/Kiritimati', '2026-10-31T16:00:00Z', '2026-09-30T10:00:00Z', '2026-10-31T10:00:00Z'],
  // A quarter of an hour.
  ['Asia/Kathmandu', '2026-11-01T00:15:00Z', '2026-09-30T18:15:00Z', '2026-10-31T18:15:00Z'],
  // Clocks are set back in October: the month is an hour longer.
  ['Europe/Lisbon', '2026-11-01T06:00:00Z', '2026-09-30T23:00:00Z', '2026-11-01T00:00:00Z'],
  // Clocks are set back on the 1st itself, at 2 o'clock.
  ['America/New_York', '2026-11-01T11:00:00Z', '2026-10-01T04:00:00Z', '2026-11-01T04:00:00Z'],
])('%s: due from %s, from %s until %s', async (time_zone, due, began, ended) => {
  const account = await insertAccount(db, { time_zone })
  await db.transaction().execute((tx) => addReports(tx, account, new Date('2026-10-15T12:00:00Z')))
  const justBefore = new Date(Date.parse(due) - 1).toISOString()
  expect(await dueAt(justBefore)).toBeUndefined()
  const found = await dueAt(due)
  expect(found).toMatchObject({
    accountId: account,
    firstDay: '2026-10-01',
    lastDay: '2026-10-31',
    firstDayBefore: '2026-09-01',
    began: new Date(began),
    ended: new Date(ended),
  })
  if (found) await db.transaction().execute((tx) => recordSent(tx, found))
  expect(await dueAt(due)).toBeUndefined()
  await removeReports(db, account)
})

test('a month whose first hour is left out by the clocks begins an hour later: Asunción, October 2017', async () => {
  const account = await insertAccount(db, { time_zone: 'America/Asuncion' })
  await addReports(db, account, new Date('2017-10-15T12:00:00Z'))
  const found = await dueAt('2017-11-01T12:00:00Z')
  expect(found?.began).toEqual(new Date('2017-10-01T04:00:00Z'))
  await removeReports(db, account)
})

test('a report is recorded once, and not where it is no longer wanted', async () => {
  const ids = [await insertAccount(db), await insertAccount(db)]
  for (const id of ids) await addReports(db, id, new Date('2026-10-15T12:00:00Z'))
  const due = await dueAt('2026-11-02T12:00:00Z')
  if (!due) return expect.fail('no report is due')
  expect(due.accountId).toBe(ids[0])
  expect([await recordSent(db, due), await recordSent(db, due)]).toEqual([true, false])
  const next = await dueAt('2026-11-02T12:00:00Z')
  if (!next) return expect.fail('no second report is due')
  await removeReports(db, next.accountId)
  expect(await recordSent(db, next)).toBe(false)
  for (const id of ids) await removeReports(db, id)
})
