import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isLowBalance } from '../../store/connection/database-errors.ts'
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

test('a service without trial credit gives none', async () => {
  const other = await openBooks({ connections: 2, trialCredit: 0 })
  const { accountId } = await other.addAccount()
  await other.ledger.grantTrialCredit(other.db, accountId)
  const entries = other.db.selectFrom('ledger_entries').selectAll()
  expect(await entries.execute()).toEqual([])
  await other.close()
})

describe('what moved the credit of an account in a period', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))

  test('is summed from its first moment until before its last; calls are left out', async () => {
    const { accountId } = await books.addAccount()
    const stranger = await books.addAccount()
    const enter = async (
      day: number,
      kind: 'charge' | 'refund' | 'call' | 'trial',
      amount: number,
      of = accountId,
    ) => {
      books.clock.shift((at(day).getTime() - books.clock.now().getTime()) / 1000)
      const reference = `period:${of}:${day}:${kind}`
      await books.ledger.post(books.db, {
        entries: [{ accountId: of, kind, amount, reference, description: '' }],
      })
    }
    await enter(18, 'charge', 1000)
    await enter(20, 'charge', 500)
    await enter(21, 'refund', -200)
    await enter(22, 'trial', 70)
    await enter(22, 'charge', 9, stranger.accountId)
    await enter(23, 'call', -30)
    await enter(24, 'charge', 4000)
    const period = { from: at(20), to: at(24) }
    expect(await books.ledger.creditOfPeriod({ accountId }, period)).toEqual({
      topUps: 500,
      refunds: -200,
      others: 70,
      balance: 1340,
    })
    expect(await books.ledger.creditOfPeriod({ accountId }, { from: at(1), to: at(18) })).toEqual({
      topUps: 0,
      refunds: 0,
      others: 0,
      balance: 0,
    })
  })
})

test('balances are read of several accounts; one that has none yet is left out, and has 0', async () => {
  const [rich, poor, none] = [
    await books.addAccount(700),
    await books.addAccount(5),
    await books.addAccount(),
  ]
  const read = await books.ledger.balances([rich, poor, none].map(({ accountId }) => accountId))
  expect(read.sort((one, other) => one.accountId - other.accountId)).toEqual([
    { accountId: rich.accountId, balance: { balance: 700, reserved: 0 } },
    { accountId: poor.accountId, balance: { balance: 5, reserved: 0 } },
  ])
  expect(await books.ledger.balance(none)).toEqual({ balance: 0, reserved: 0 })
  expect(await books.ledger.dailyUse(none)).toEqual({ calls: 0, spent: 0, day: undefined, reserved: 0 })
})

describe('the last statement of a transaction', () => {
  const bill = (accountId: number, amount: number) => ({
    entries: [
      { accountId, kind: 'call' as const, amount, reference: `last:${accountId}:${amount}`, description: '' },
    ],
  })

  test('fails if a balance becomes low, since nobody would be notified, and changes nothing', async () => {
    const { accountId } = await books.addAccount(600)
    await expect(books.ledger.postUnlessLow(books.db, bill(accountId, -101))).rejects.toSatisfy(isLowBalance)
    expect(await entriesOf(accountId)).toHaveLength(1)
    await books.ledger.postUnlessLow(books.db, bill(accountId, -100))
    expect((await entriesOf(accountId)).map(({ balance }) => balance)).toEqual([600, 500])
  })
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
    await books.ledger.setLowBalance(books.db, accountId, 0)
    expect(await books.ledger.lowBalanceOf(books.db, accountId)).toBe(0)
  })

  test('that a new threshold makes low is not announced, neither then nor when it falls further', async () => {
    const { accountId } = await books.addAccount(700)
    await books.ledger.setLowBalance(books.db, accountId, 800)
    await books.give(accountId, -50)
    expect(lows).toEqual([])
  })

  test('has the threshold of the service for an account without a balance', async () => {
    const { accountId } = await books.addAccount()
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

  test('that fails is not taken for one that was entered before', async () => {
    const { domain } = await books.addAccount(300)
    await expect(books.ledger.adjust(adjustment(domain, { amount: 1e19 }))).rejects.toThrow('out of range')
    expect(await books.ledger.adjust(adjustment(domain))).toMatchObject({ balance: 800 })
  })

  test('of an account that owes adds credit', async () => {
    const { domain } = await books.addAccount(-800)
    expect(await books.ledger.adjust(adjustment(domain))).toMatchObject({ balance: -300 })
  })
})

describe('verifying', () => {
  test('finds nothing where the books add up', async () => {
    const { accounts, entries, balance, findings } = await verifyLedger(books.db)
    expect(findings).toEqual([])
    const sum = await books.db
      .selectFrom('ledger_entries')
      .select((entry) => [
        entry.fn.countAll<number>().as('entries'),
        entry.fn.sum<number>('amount').as('balance'),
      ])
      .executeTakeFirstOrThrow()
    const owners = await books.db.selectFrom('balances').select('account_id').execute()
    expect({ accounts, entries, balance }).toEqual({
      accounts: owners.length,
      entries: Number(sum.entries),
      balance: Number(sum.balance),
    })
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
