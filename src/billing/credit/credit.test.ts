import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../ledger/verify.ts'
import { type Books, openBooks } from '../testing/books.ts'
import { reservedSeconds } from './credit.ts'

/** At R$ 0.12 a minute: 6 centavos for the first block, 12 for the first minute. */
const mobile = '5548999998888'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(async () => {
  expect((await verifyLedger(books.db)).findings).toEqual([])
  await books.close()
})

const reserve = async (accountId: number, callId = books.newCall(), destination = mobile) => {
  const { answers } = await books.db
    .transaction()
    .execute((tx) => books.credit.reserve(tx, [{ accountId, callId, destination }]))
  return { callId, answer: answers.get(callId) }
}
const settle = async (accountId: number, callId: string, seconds: number) => {
  const call = { accountId, callId, destination: mobile, seconds }
  const settled = await books.db.transaction().execute((tx) => books.credit.settle(tx, [call]))
  return settled.get(callId)
}
const balanceOf = (accountId: number) =>
  books.db.selectFrom('balances').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow()

describe('placing a call', () => {
  test('reserves its first minute (D41)', async () => {
    const { accountId } = await books.addAccount(100)
    expect((await reserve(accountId)).answer).toMatchObject({
      talkSeconds: reservedSeconds,
      rate: { minutePrice: 1200 },
    })
    expect(await balanceOf(accountId)).toMatchObject({ balance: 100, reserved: 12 })
  })

  test('needs credit for the first block, and reserves what is available', async () => {
    const poor = await books.addAccount(5)
    expect((await reserve(poor.accountId)).answer).toBe('insufficient')
    const modest = await books.addAccount(6)
    expect((await reserve(modest.accountId)).answer).toMatchObject({ talkSeconds: 30 })
    expect((await reserve(modest.accountId)).answer).toBe('insufficient')
    const nobody = await books.addAccount()
    expect((await reserve(nobody.accountId)).answer).toBe('insufficient')
  })

  test('needs no credit where the rate is zero', async () => {
    const { accountId } = await books.addAccount()
    const { callId, answer } = await reserve(accountId, undefined, '558000001111')
    expect(answer).toMatchObject({ talkSeconds: reservedSeconds })
    expect(await settle(accountId, callId, 600)).toMatchObject({ price: 0, minutePrice: 0 })
  })

  test('is not possible to a destination without a rate', async () => {
    const { accountId } = await books.addAccount(100_000)
    expect((await reserve(accountId, undefined, '88165000000')).answer).toBe('no rate')
  })

  test('is granted three times of 100 at once when the credit is for three', async () => {
    const { accountId } = await books.addAccount(3 * 12)
    const calls = await Promise.all(Array.from({ length: 100 }, () => reserve(accountId)))
    const granted = calls.filter(({ answer }) => answer !== 'insufficient')
    expect(granted).toHaveLength(3)
    expect(await balanceOf(accountId)).toMatchObject({ balance: 36, reserved: 36 })
    await Promise.all(granted.map(({ callId }) => settle(accountId, callId, 60)))
    expect(await balanceOf(accountId)).toMatchObject({ balance: 0, reserved: 0 })
  })

  test('requests in one statement are served in their order', async () => {
    const [rich, poor] = [await books.addAccount(1000), await books.addAccount(18)]
    const requests = [poor, rich, poor, poor, rich].map(({ accountId }) => ({
      accountId,
      callId: books.newCall(),
      destination: mobile,
    }))
    const { answers } = await books.db.transaction().execute((tx) => books.credit.reserve(tx, requests))
    const seconds = requests.map(({ callId }) => {
      const answer = answers.get(callId)
      return Object(answer).talkSeconds ?? answer
    })
    expect(seconds).toEqual([60, 60, 30, 'insufficient', 60])
  })
})

describe('extending a call', () => {
  const extend = async (accountId: number, callId: string, talkSeconds: number) =>
    (await books.credit.extend([{ accountId, callId, talkSeconds }])).get(callId)?.talkSeconds

  test('reserves more, as long as credit is available', async () => {
    const { accountId } = await books.addAccount(40)
    const { callId } = await reserve(accountId)
    expect(await extend(accountId, callId, 120)).toBe(120)
    expect(await balanceOf(accountId)).toMatchObject({ reserved: 24 })
    // 40 centavos are 200 seconds, and the half of one that rounding gives.
    expect(await extend(accountId, callId, 600)).toBe(198)
    expect(await extend(accountId, callId, 600)).toBe(198)
    expect(await settle(accountId, callId, 198)).toMatchObject({ price: 40 })
    expect(await extend(accountId, callId, 900)).toBeUndefined()
  })

  test('never makes a call shorter', async () => {
    const { accountId } = await books.addAccount(40)
    const { callId } = await reserve(accountId)
    expect(await extend(accountId, callId, 30)).toBe(60)
  })

  test('shares the available credit between two calls', async () => {
    const { accountId } = await books.addAccount(36)
    const calls = [await reserve(accountId), await reserve(accountId)].map(({ callId }) => ({
      accountId,
      callId,
      talkSeconds: 600,
    }))
    const grants = await Promise.all(calls.map((call) => books.credit.extend([call])))
    const seconds = grants.flatMap((map) => [...map.values()].map(({ talkSeconds }) => talkSeconds))
    const given = seconds.sort((a, b) => a - b)
    expect(given).toEqual([60, 120])
  })
})

describe('settling a call', () => {
  test('takes the price and releases the rest', async () => {
    const { accountId } = await books.addAccount(100)
    const { callId } = await reserve(accountId)
    expect(await settle(accountId, callId, 37)).toEqual({
      minutePrice: 1200,
      price: 8,
      pricing: {
        prefix: '55489',
        name: 'Brazil mobile',
        seconds: 37,
        billedSeconds: 42,
        blocks: { first: 30, step: 6, steps: 2, grace: 3 },
      },
    })
    expect(await balanceOf(accountId)).toMatchObject({ balance: 92, reserved: 0 })
    const entry = books.db.selectFrom('ledger_entries').selectAll().where('reference', '=', `call:${callId}`)
    expect(await entry.executeTakeFirst()).toMatchObject({ amount: -8, balance: 92, kind: 'call' })
  })

  test.each([0, 3])('after %d seconds costs nothing', async (seconds) => {
    const { accountId } = await books.addAccount(100)
    const { callId } = await reserve(accountId)
    expect(await settle(accountId, callId, seconds)).toMatchObject({
      price: 0,
      pricing: { billedSeconds: 0 },
    })
    expect(await balanceOf(accountId)).toMatchObject({ balance: 100, reserved: 0 })
  })

  test('happens once, however many try at the same time', async () => {
    const { accountId } = await books.addAccount(100)
    const { callId } = await reserve(accountId)
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(accountId, callId, 60)))
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
    expect(await balanceOf(accountId)).toMatchObject({ balance: 88 })
  })

  test('that outlasted its reservation takes what is available; the rest is forgiven, never owed', async () => {
    const { accountId } = await books.addAccount(15)
    const { callId } = await reserve(accountId)
    expect(await settle(accountId, callId, 120)).toMatchObject({ price: 15, pricing: { forgiven: 9 } })
    expect(await balanceOf(accountId)).toMatchObject({ balance: 0, reserved: 0 })
  })

  test('that outlasted its reservation does not take what is reserved for other calls', async () => {
    const { accountId } = await books.addAccount(24)
    const [{ callId }, other] = [await reserve(accountId), await reserve(accountId)]
    expect(await settle(accountId, callId, 600)).toMatchObject({ price: 12 })
    expect(await settle(accountId, other.callId, 60)).toMatchObject({ price: 12 })
  })

  test('that outlasted its reservation takes what is available, also beside one that did not', async () => {
    const { accountId } = await books.addAccount(100)
    const calls = [await reserve(accountId), await reserve(accountId)].map(({ callId }, index) => ({
      accountId,
      callId,
      destination: mobile,
      seconds: [60, 120][index] ?? 0,
    }))
    const settled = await books.db.transaction().execute((tx) => books.credit.settle(tx, calls))
    expect(calls.map(({ callId }) => settled.get(callId)?.price)).toEqual([12, 24])
  })

  test('that outlasted its reservation takes what a call before it left, and no more', async () => {
    const { accountId } = await books.addAccount(36)
    const calls = [await reserve(accountId), await reserve(accountId)].map(({ callId }, index) => ({
      accountId,
      callId,
      destination: mobile,
      seconds: [4, 180][index] ?? 0,
    }))
    const ids = calls.map(({ callId }) => callId)
    const settled = await books.db.transaction().execute(async (tx) => {
      const taken = await books.credit.takeReservations(tx, ids)
      const inOrder = taken.toSorted((one, other) => ids.indexOf(one.callId) - ids.indexOf(other.callId))
      const { settled, bill } = await books.credit.price(tx, calls, inOrder)
      await books.credit.pay(tx, bill)
      return settled
    })
    expect(ids.map((id) => settled.get(id)?.price)).toEqual([6, 30])
    expect(settled.get(ids[1] ?? '')?.pricing).toMatchObject({ forgiven: 6 })
    expect(await balanceOf(accountId)).toMatchObject({ balance: 0, reserved: 0 })
  })

  test('is paid from the reservation even if the credit was refunded in between', async () => {
    const { accountId } = await books.addAccount(24)
    const { callId } = await reserve(accountId)
    await books.give(accountId, -24)
    expect((await reserve(accountId)).answer).toBe('insufficient')
    expect(await settle(accountId, callId, 60)).toMatchObject({ price: 12 })
    expect(await balanceOf(accountId)).toMatchObject({ balance: -12, reserved: 0 })
  })

  test('of many accounts at the same time, in any order, does not deadlock', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => books.addAccount(10_000)))
    const placed = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { accountId } = accounts[index % 6] ?? { accountId: 0 }
        return { ...(await reserve(accountId)), accountId }
      }),
    )
    const batches = Array.from({ length: 10 }, (_, batch) =>
      placed.filter((_call, index) => index % 10 === batch).sort(() => (batch % 2 === 0 ? 1 : -1)),
    )
    await Promise.all(
      batches.map((batch) =>
        books.db.transaction().execute((tx) =>
          books.credit.settle(
            tx,
            batch.map(({ accountId, callId }) => ({ accountId, callId, destination: mobile, seconds: 60 })),
          ),
        ),
      ),
    )
    for (const { accountId } of accounts)
      expect(await balanceOf(accountId)).toMatchObject({ balance: 9880, reserved: 0 })
  })

  test('while calls are extended, in any order, does not deadlock and releases every reservation', async () => {
    const { accountId } = await books.addAccount(10_000)
    const calls = (await Promise.all(Array.from({ length: 10 }, () => reserve(accountId)))).map(
      ({ callId }) => ({ accountId, callId, talkSeconds: 120 }),
    )
    await Promise.all(
      calls.flatMap(({ callId }) => [
        settle(accountId, callId, 90),
        books.credit.extend(calls),
        books.credit.extend(calls.toReversed()),
      ]),
    )
    expect(await balanceOf(accountId)).toMatchObject({ balance: 10_000 - 10 * 18, reserved: 0 })
  })
})
