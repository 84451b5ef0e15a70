import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books, openBooks } from '../testing/books.ts'
import type { Adjustment } from './ledger.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

let keys = 0
async function account(credit = 0) {
  keys += 1
  const { domain, accountId } = await books.addAccount(credit)
  const adjustment: Adjustment = {
    domain,
    amount: 500,
    reason: 'goodwill',
    reference: `key:${keys}:${domain}`,
  }
  const enter = (change: Partial<Adjustment> = {}) => books.adjustments.enter({ ...adjustment, ...change })
  return {
    accountId,
    domain,
    enter,
    balance: async () => (await books.ledger.balance({ accountId })).balance,
  }
}

test('an adjustment that is sent again with its key is entered once, and says so', async () => {
  const { enter, balance } = await account(100)
  expect(await enter()).toEqual({ balance: 600, reserved: 0, isRepeated: false })
  expect(await enter()).toEqual({ balance: 600, reserved: 0, isRepeated: true })
  expect(await balance()).toBe(600)
})

test('an adjustment that is sent many times at once is entered once', async () => {
  const { enter, balance } = await account()
  const answers = await Promise.all(Array.from({ length: 5 }, () => enter()))
  expect(answers.map((answer) => Object(answer).isRepeated).sort()).toEqual([false, true, true, true, true])
  expect(await balance()).toBe(500)
})

test('a debit of all the credit that is sent many times at once is entered once', async () => {
  const { enter, balance } = await account(500)
  const answers = await Promise.all(Array.from({ length: 5 }, () => enter({ amount: -500 })))
  expect(answers.map((answer) => Object(answer).isRepeated).sort()).toEqual([false, true, true, true, true])
  expect(await balance()).toBe(0)
})

test('a key that was used for another account, amount or reason is refused', async () => {
  const { enter, balance } = await account()
  const other = await account()
  await enter()
  expect(await enter({ domain: other.domain })).toBe('another entry')
  expect(await enter({ amount: 501 })).toBe('another entry')
  expect(await enter({ reason: 'another' })).toBe('another entry')
  expect([await balance(), await other.balance()]).toEqual([500, 0])
})

test('an adjustment needs an account, and a debit its credit', async () => {
  const { enter, balance } = await account(300)
  expect(await enter({ domain: 'nobody.example' })).toBe('no account')
  expect(await enter({ amount: -301 })).toBe('not enough')
  expect(await balance()).toBe(300)
})

test('a debit is not paid with credit that is reserved for a call', async () => {
  const { accountId, enter } = await account(100)
  const request = { accountId, callId: books.newCall(), destination: '5548999998888' }
  await books.db.transaction().execute((tx) => books.credit.reserve(tx, [request]))
  expect(await enter({ amount: -89 })).toBe('not enough')
  expect(await enter({ amount: -88 })).toEqual({ balance: 12, reserved: 12, isRepeated: false })
})
