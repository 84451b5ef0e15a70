/** D643: how many accounts a tick works for, one whose report fails, and two processes at once. */
import { afterAll, expect, test } from 'vitest'
import { createTestClock } from '../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { insertAccount } from '../../test/helpers/service/call-rows.ts'
import { createLog } from '../kit/process/log.ts'
import type { Mail } from '../mail/port.ts'
import { openDatabase, openPool } from '../store/database.ts'
import { insertUser } from '../users/users-store.ts'
import { createMonthlyReports } from './monthly-reports.ts'
import { addReports } from './monthly-reports-store.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
const clock = createTestClock('2026-11-01T12:00:00.000Z')
/** An account that wants reports, with its admin. */
async function insertReader(email: string): Promise<number> {
  const before = new Date('2026-10-15T12:00:00Z')
  const id = await insertAccount(db)
  await insertUser(db, id, 'hash', {
    uuid: crypto.randomUUID(),
    name: 'Ana',
    email,
    phone: '554833334444',
    role: 'ADMIN',
    emailVerified: true,
    createdAt: before,
  })
  await addReports(db, id, before)
  return id
}

/** `onRead`: runs once in each reading of a report. */
function createReports(posted: Mail[], onRead: (accountId: number) => Promise<void>) {
  return createMonthlyReports({
    db,
    clock,
    log: createLog('silent'),
    outbox: {
      post: async (_tx, mail) => {
        posted.push(mail)
      },
      wake: () => {},
    },
    callListing: { statsOfAccount: async () => [] },
    callResults: { outcomes: async () => [] },
    ledger: {
      async creditOfPeriod({ accountId }) {
        await onRead(accountId)
        return { topUps: 0, refunds: 0, others: 0, balance: 0 }
      },
    },
    pageOf: () => undefined,
    maxAccounts: 3,
  })
}

afterAll(async () => {
  await pool.end()
  await database.drop()
})

const recipientsOf = (mails: Mail[]) => mails.map(({ recipient }) => recipient)

test('a report is read without a transaction, and sent once by two processes that read it at the same moment', async () => {
  await insertReader('bia@padaria.example')
  const open = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
  const posted: Mail[] = []
  const { promise: bothRead, resolve: haveBothRead } = Promise.withResolvers<void>()
  let reading = 0
  async function onRead() {
    expect((await pool.query(open)).rowCount).toBe(0)
    reading += 1
    if (reading === 2) haveBothRead()
    await bothRead
  }
  const processes = [createReports(posted, onRead), createReports(posted, onRead)]
  await Promise.all(processes.map(({ tick }) => tick(() => false)))
  expect(recipientsOf(posted)).toEqual(['bia@padaria.example'])
})

test('a tick works for so many accounts; one that fails is left out for an hour, and holds up no other', async () => {
  const accounts: number[] = []
  for (const n of [0, 1, 2, 3]) accounts.push(await insertReader(`ana${n}@padaria.example`))
  const posted: Mail[] = []
  let failing = accounts[1]
  const { tick } = createReports(posted, async (accountId) => {
    if (accountId === failing) throw new Error('too expensive')
  })
  const recipients = () => recipientsOf(posted)
  await tick(() => false)
  expect(recipients()).toEqual(['ana0@padaria.example', 'ana2@padaria.example'])
  await tick(() => true)
  expect(posted).toHaveLength(2)
  await tick(() => false)
  failing = undefined
  await tick(() => false)
  expect(recipients()).toEqual(['ana0@padaria.example', 'ana2@padaria.example', 'ana3@padaria.example'])
  clock.advance(3600)
  await tick(() => false)
  await tick(() => false)
  expect(recipients().slice(3)).toEqual(['ana1@padaria.example'])
})
