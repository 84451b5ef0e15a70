/** D193: the calls and the spending of an account's day, as the credit of calls keeps to them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyLedger } from '../ledger/verify.ts'
import { type Books, openBooks } from '../testing/books.ts'
import { reservedSeconds } from './credit.ts'
import { type DailyCeilings, dailyUseOf, noCeilings } from './daily-use.ts'

/** At R$ 0.12 a minute: 6 centavos for the first block, 12 for the first minute. */
const mobile = '5548999998888'
const day = 86_400

let books: Books
let ceilings = noCeilings
let reached: [accountId: number, ceiling: number][]
beforeAll(async () => {
  books = await openBooks({
    ceilingsOf: () => ceilings,
    onSpendingReached: (accountId, ceiling) => reached.push([accountId, ceiling]),
  })
})
beforeEach(() => {
  reached = []
  ceilings = noCeilings
})
afterAll(async () => {
  expect((await verifyLedger(books.db)).findings).toEqual([])
  await books.close()
})

async function reserve(accountId: number, limits: Partial<DailyCeilings> = {}, calls = 1) {
  const requests = Array.from({ length: calls }, () => ({
    accountId,
    callId: books.newCall(),
    destination: mobile,
    ceilings: { ...noCeilings, ...limits },
  }))
  const { answers } = await books.db.transaction().execute((tx) => books.credit.reserve(tx, requests))
  return requests.map(({ callId }) => ({ callId, answer: answers.get(callId) }))
}
const answersOf = async (...given: Parameters<typeof reserve>) =>
  (await reserve(...given)).map(({ answer }) => answer)
const settle = (accountId: number, callId: string, seconds: number) =>
  books.db
    .transaction()
    .execute((tx) => books.credit.settle(tx, [{ accountId, callId, destination: mobile, seconds }]))

describe('the calls of a day', () => {
  test('may be as many as the ceiling, also when they are placed at once', async () => {
    const { accountId } = await books.addAccount(1000)
    const began = books.clock.now()
    const refused = { reached: 'calls', endsAt: new Date(began.getTime() + day * 1000) }
    expect(await answersOf(accountId, { calls: 2 }, 3)).toEqual([
      expect.objectContaining({ talkSeconds: reservedSeconds, available: 988 }),
      expect.objectContaining({ talkSeconds: reservedSeconds, available: 976 }),
      refused,
    ])
    books.clock.advance(60)
    expect(await answersOf(accountId, { calls: 2 })).toEqual([refused])
    expect(await answersOf(accountId, { calls: 3 })).toMatchObject([{ talkSeconds: reservedSeconds }])
  })

  test('are counted anew 24 hours after the first of them', async () => {
    const { accountId } = await books.addAccount(1000)
    await reserve(accountId, { calls: 1 })
    books.clock.advance(day - 1)
    expect(await answersOf(accountId, { calls: 1 })).toMatchObject([{ reached: 'calls' }])
    expect(await books.ledger.dailyUse({ accountId })).toMatchObject({ calls: 1 })
    books.clock.advance(1)
    expect(await books.ledger.dailyUse({ accountId })).toMatchObject({ calls: 0, day: undefined })
    expect(await answersOf(accountId, { calls: 1 })).toMatchObject([{ talkSeconds: reservedSeconds }])
  })

  test('are refused until a day from now where none has begun and none is allowed', async () => {
    const { accountId } = await books.addAccount(1000)
    const endsAt = new Date(books.clock.now().getTime() + day * 1000)
    expect(await answersOf(accountId, { calls: 0 })).toEqual([{ reached: 'calls', endsAt }])
    await reserve(accountId)
    books.clock.advance(day)
    const next = new Date(books.clock.now().getTime() + day * 1000)
    expect(await answersOf(accountId, { calls: 0 })).toEqual([{ reached: 'calls', endsAt: next }])
  })
})

describe('the spending of a day', () => {
  test('leaves the last call what is left of it, and refuses one that cannot have its first block', async () => {
    const { accountId } = await books.addAccount(1000)
    const endsAt = new Date(books.clock.now().getTime() + day * 1000)
    expect(await answersOf(accountId, { spending: 18 }, 3)).toEqual([
      expect.objectContaining({ talkSeconds: 60, available: 6 }),
      expect.objectContaining({ talkSeconds: 30, available: 0 }),
      { reached: 'spending', endsAt },
    ])
  })

  test('is not the reason where the balance would not pay for the call either', async () => {
    const { accountId } = await books.addAccount(5)
    expect(await answersOf(accountId, { spending: 0 })).toEqual(['insufficient'])
  })

  test('is what calls cost and have reserved', async () => {
    const { accountId } = await books.addAccount(1000)
    const [first] = await reserve(accountId)
    await settle(accountId, first?.callId ?? '', 120)
    expect(await books.ledger.dailyUse({ accountId })).toMatchObject({ calls: 1, spent: 24, reserved: 0 })
    await reserve(accountId)
    expect(await books.ledger.dailyUse({ accountId })).toMatchObject({ calls: 2, spent: 24, reserved: 12 })
    expect(await answersOf(accountId, { spending: 24 + 12 + 5 })).toMatchObject([{ reached: 'spending' }])
    expect(await answersOf(accountId, { spending: 24 + 12 + 6 })).toMatchObject([{ talkSeconds: 30 }])
  })
})

describe('a call that lasts', () => {
  async function lastingCall(credit = 1000) {
    const { accountId } = await books.addAccount(credit)
    const [made] = await reserve(accountId)
    const callId = made?.callId ?? ''
    const extend = async (talkSeconds: number) =>
      (await books.credit.extend([{ accountId, callId, talkSeconds }])).get(callId)
    return { accountId, callId, extend }
  }

  test('ends where the spending of the day ends, which is reported', async () => {
    const { accountId, extend } = await lastingCall()
    ceilings = { calls: 10, spending: 30 }
    expect(await extend(120)).toMatchObject({ talkSeconds: 120, available: 6 })
    expect(reached).toEqual([])
    expect(await extend(600)).toMatchObject({ talkSeconds: 150, available: 0 })
    expect(reached).toEqual([[accountId, 30]])
  })

  test('counts what earlier calls of the day have cost', async () => {
    const { accountId, extend } = await lastingCall()
    const [other] = await reserve(accountId)
    await settle(accountId, other?.callId ?? '', 60)
    ceilings = { calls: 10, spending: 12 + 18 }
    expect(await extend(600)).toMatchObject({ talkSeconds: 90, available: 0 })
  })

  test('ends where its credit ends without a report, also if the ceiling is there too', async () => {
    const { extend } = await lastingCall(24)
    ceilings = { calls: 10, spending: 24 }
    expect(await extend(600)).toMatchObject({ talkSeconds: 120, available: 0 })
    ceilings = noCeilings
    expect(await extend(600)).toMatchObject({ talkSeconds: 120 })
    expect(reached).toEqual([])
  })

  test('keeps what it has where a ceiling is lowered below it', async () => {
    const { accountId, extend } = await lastingCall()
    ceilings = { calls: 10, spending: 6 }
    expect(await extend(120)).toEqual({ rate: expect.anything(), talkSeconds: 60, available: 0 })
    expect(reached).toEqual([[accountId, 6]])
  })

  test('says what its account has left for others', async () => {
    const { extend } = await lastingCall()
    expect(await extend(120)).toMatchObject({ talkSeconds: 120, available: 976 })
    expect(await extend(120)).toMatchObject({ talkSeconds: 120, available: 976 })
  })
})

test('a day has the columns of the balance until it is over', () => {
  const began = new Date('2026-11-15T12:00:00Z')
  const ends = new Date('2026-11-16T12:00:00Z')
  const columns = { day_began: began, day_calls: 3, day_spent: 40 }
  const none = { calls: 0, spent: 0, day: undefined }
  expect(dailyUseOf(columns, new Date(ends.getTime() - 1))).toEqual({
    calls: 3,
    spent: 40,
    day: { began, ends },
  })
  expect(dailyUseOf(columns, ends)).toEqual(none)
  expect(dailyUseOf({ ...columns, day_began: null }, began)).toEqual(none)
})
