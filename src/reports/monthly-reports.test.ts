/** D643: how many accounts a tick works for, and one whose report fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
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
const accounts: number[] = []

beforeAll(async () => {
  const before = new Date('2026-10-15T12:00:00Z')
  for (let n = 0; n < 4; n += 1) {
    const id = await insertAccount(db)
    await insertUser(db, id, 'hash', {
      uuid: crypto.randomUUID(),
      name: 'Ana',
      email: `ana${n}@padaria.example`,
      phone: '554833334444',
      role: 'ADMIN',
      emailVerified: true,
      createdAt: before,
    })
    await addReports(db, id, before)
    accounts.push(id)
  }
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a tick works for so many accounts; one that fails is left out for an hour, and holds up no other', async () => {
  const posted: Mail[] = []
  let failing = accounts[1]
  const { tick } = createMonthlyReports({
    db,
    clock,
    log: createLog('silent'),
    outbox: {
      post: async (_tx, mail) => {
        posted.push(mail)
      },
      wake: () => {},
    },
    callListing: {
      async statsOfAccount({ accountId }) {
        if (accountId === failing) throw new Error('too expensive')
        return []
      },
    },
    callResults: { outcomes: async () => [] },
    ledger: { creditOfPeriod: async () => ({ topUps: 0, refunds: 0, others: 0, balance: 0 }) },
    pageOf: () => undefined,
    maxAccounts: 3,
  })
  const recipients = () => posted.map(({ recipient }) => recipient)
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
