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

test('what was entered once is not entered again, and the balance stays', async () => {
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

test('many entries of one account say each balance on the way', async () => {
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
  await expect(books.ledger.grantTrialCredit(books.db, accountId)).rejects.toThrow()
  expect(await entriesOf(accountId)).toMatchObject([{ kind: 'trial', amount: 1000, balance: 1000 }])
})

describe('a low balance', () => {
  test('is told when it becomes low, once, and again after it was not', async () => {
    const { accountId } = await books.addAccount(1000)
    for (const amount of [-400, -200, -100, 500, -300, -200]) await books.give(accountId, amount)
    expect(lows.map(({ balance }) => balance)).toEqual([400, 300])
  })

  test('of an account that never had more is nothing new', async () => {
    await books.addAccount(100)
    expect(lows).toEqual([])
  })

  test('is told once when many spend at once', async () => {
    const { accountId } = await books.addAccount(1000)
    await Promise.all(Array.from({ length: 20 }, () => books.give(accountId, -50)))
    expect(lows).toEqual([{ accountId, balance: 450 }])
  })
})

describe('what the operator enters', () => {
  const wish = (domain: string, change: object = {}) => ({
    domain,
    amount: 500,
    reason: 'goodwill',
    reference: `manual:${domain}`,
    ...change,
  })

  test('is in the ledger and in the audit log, once', async () => {
    const { accountId, domain } = await books.addAccount()
    expect(await books.ledger.adjust(wish(domain))).toMatchObject({ balance: 500 })
    expect(await books.ledger.adjust(wish(domain))).toBe('entered before')
    expect(await entriesOf(accountId)).toMatchObject([
      { kind: 'adjustment', amount: 500, description: 'goodwill' },
    ])
    const audit = books.db.selectFrom('audit').selectAll().where('account_id', '=', accountId)
    expect(await audit.execute()).toMatchObject([
      { action: 'credit.adjusted', details: { amount: 500, reason: 'goodwill' } },
    ])
  })

  test('takes no more than is there', async () => {
    const { domain } = await books.addAccount(300)
    expect(await books.ledger.adjust(wish(domain, { amount: -301 }))).toBe('not enough')
    expect(await books.ledger.adjust(wish(domain, { amount: -300 }))).toMatchObject({ balance: 0 })
    expect(await books.ledger.adjust(wish('nobody.example'))).toBe('no account')
  })
})

describe('verifying', () => {
  test('finds nothing where all is well', async () => {
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
