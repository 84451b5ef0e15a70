import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Books, openBooks } from '../testing/books.ts'
import { verifyLedger } from './verify.ts'

let books: Books
let lows: { accountId: number; balance: number }[]
beforeAll(async () => {
  books = await openBooks({
    lowBalance: 500,
    onLowBalance: async (_tx, { accountId, balance }) => {
      lows.push({ accountId, balance })
    },
  })
})
beforeEach(() => {
  lows = []
})
afterAll(() => books.close())

const entriesOf = (accountId: number) =>
  books.db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

test('an entry is written once, and a second try leaves the balance as it is', async () => {
  const { accountId } = await books.addAccount(1000)
  const entry = {
    accountId,
    kind: 'charge' as const,
    amount: 500,
    reference: `x:${accountId}`,
    description: '',
  }
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => books.ledger.post(books.db, { entries: [entry] })),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await entriesOf(accountId)).map(({ balance }) => balance)).toEqual([1000, 1500])
})

test('each of many entries has the balance after it', async () => {
  const { accountId } = await books.addAccount(1000)
  const entries = [-10, -20, 5].map((amount, index) => ({
    accountId,
    kind: 'call' as const,
    amount,
    reference: `way:${accountId}:${index}`,
    description: '',
  }))
  await books.ledger.post(books.db, { entries })
  expect((await entriesOf(accountId)).map(({ balance }) => balance)).toEqual([1000, 990, 970, 975])
})

test.each(['update ledger_entries set amount = 1', 'delete from ledger_entries', 'truncate ledger_entries'])(
  'nobody can %s',
  async (statement) => {
    await books.addAccount(10)
    await expect(sql.raw(statement).execute(books.db)).rejects.toThrow('stays as it is')
  },
)

test('a new account is given its trial credit once', async () => {
  const { accountId } = await books.addAccount()
  await books.ledger.grantTrialCredit(books.db, accountId)
  await books.ledger.grantTrialCredit(books.db, accountId)
  expect(await entriesOf(accountId)).toMatchObject([{ kind: 'trial', amount: 1000, balance: 1000 }])
})

describe('a low balance', () => {
  test('is announced once when it becomes low, and again after it was not', async () => {
    const { accountId } = await books.addAccount(1000)
    for (const amount of [-400, -200, -100, 500, -300, -200]) await books.give(accountId, amount)
    expect(lows.map(({ balance }) => balance)).toEqual([400, 300])
  })

  test('is not announced for an account that never had more', async () => {
    await books.addAccount(100)
    expect(lows).toEqual([])
  })

  test('goes by the threshold of the account, if it has one (D326)', async () => {
    const { accountId } = await books.addAccount(1000)
    await books.ledger.setLowBalance(books.db, accountId, 900)
    for (const amount of [-200, -100]) await books.give(accountId, amount)
    expect(lows.splice(0)).toEqual([{ accountId, balance: 800 }])
    // Already low by a lower threshold, then no longer: neither is announced, the next fall is.
    await books.ledger.setLowBalance(books.db, accountId, 800)
    await books.ledger.setLowBalance(books.db, accountId, null)
    await books.give(accountId, -100)
    expect(lows).toEqual([])
    await books.give(accountId, -200)
    expect(lows).toEqual([{ accountId, balance: 400 }])
    expect(await books.ledger.lowBalanceOf(books.db, accountId)).toBe(500)
  })

  test('is announced once when many spend at the same time', async () => {
    const { accountId } = await books.addAccount(1000)
    await Promise.all(Array.from({ length: 20 }, () => books.give(accountId, -50)))
    expect(lows).toEqual([{ accountId, balance: 450 }])
  })
})

describe('an adjustment by the operator', () => {
  const adjustment = (domain: string, change: object = {}) => ({
    domain,
    amount: 500,
    reason: 'goodwill',
    reference: `manual:${domain}`,
    ...change,
  })

  test('is in the ledger and in the audit log, once', async () => {
    const { accountId, domain } = await books.addAccount()
    expect(await books.ledger.adjust(adjustment(domain))).toMatchObject({ balance: 500 })
    expect(await books.ledger.adjust(adjustment(domain))).toBe('entered before')
    expect(await entriesOf(accountId)).toMatchObject([
      { kind: 'adjustment', amount: 500, description: 'goodwill' },
    ])
    const audit = books.db.selectFrom('audit').selectAll().where('account_id', '=', accountId)
    expect(await audit.execute()).toMatchObject([
      { action: 'credit.adjusted', details: { amount: 5, reason: 'goodwill' } },
    ])
  })

  test('takes no more than is available', async () => {
    const { domain } = await books.addAccount(300)
    expect(await books.ledger.adjust(adjustment(domain, { amount: -301 }))).toBe('not enough')
    expect(await books.ledger.adjust(adjustment(domain, { amount: -300 }))).toMatchObject({ balance: 0 })
    expect(await books.ledger.adjust(adjustment('nobody.example'))).toBe('no account')
  })
})

describe('verifying', () => {
  test('finds nothing where the books add up', async () => {
    expect((await verifyLedger(books.db)).findings).toEqual([])
  })

  test.each([
    ['update balances set balance = balance + 1', 'sum of the entries'],
    ['update balances set reserved = 7', 'sum of the reservations'],
  ])('finds what %s does', async (statement, finding) => {
    const { accountId } = await books.addAccount(100)
    const change = (sign: string) =>
      sql.raw(`${statement.replace('+ 1', `${sign} 1`)} where account_id = ${accountId}`).execute(books.db)
    await change('+')
    expect((await verifyLedger(books.db)).findings.join()).toContain(finding)
    await sql`update balances set balance = 100, reserved = 0 where account_id = ${accountId}`.execute(
      books.db,
    )
    expect((await verifyLedger(books.db)).findings).toEqual([])
  })
})
