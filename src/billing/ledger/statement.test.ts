import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPagedList } from '../../filter/list-query.ts'
import { type Books, openBooks } from '../testing/books.ts'
import { statementList } from './statement-list.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

async function accountWith(...amounts: number[]) {
  const caller = await books.addAccount()
  for (const amount of amounts) {
    books.clock.advance(1)
    await books.give(caller.accountId, amount)
  }
  const asked = (filter: object = {}) =>
    readPagedList(statementList, { filter: JSON.stringify(filter) }, { timeZone: 'UTC' })
  const rows = async (filter?: object) => (await books.ledger.statement(caller, asked(filter))).rows
  return { caller, asked, rows }
}

test('a statement is newest first, with the balance after each entry, and of its account alone', async () => {
  await accountWith(5)
  const { caller, asked, rows } = await accountWith(100, -30, 7)
  expect(await rows()).toMatchObject([
    { kind: 'adjustment', amount: 7, balance: 77, description: 'gift' },
    { kind: 'adjustment', amount: -30, balance: 70 },
    { kind: 'adjustment', amount: 100, balance: 100 },
  ])
  const amounts: number[] = []
  for await (const page of books.ledger.wholeStatement(caller, asked()))
    amounts.push(...page.map(({ amount }) => amount))
  expect(amounts).toEqual([7, -30, 100])
})

test('an entry is found by each of its fields', async () => {
  const { rows } = await accountWith(100, -30)
  const [entry] = await rows()
  for (const [field, value] of Object.entries(entry ?? {})) {
    const isMoney = field === 'amount' || field === 'balance'
    const found = await rows({ where: { [field]: isMoney ? Number(value) / 100 : value } })
    expect(
      found.map(({ id }) => id),
      field,
    ).toContain(entry?.id)
  }
  expect((await rows({ where: { amount: { gt: 0 } } })).map(({ amount }) => amount)).toEqual([100])
  expect(await rows({ where: { kind: 'call' } })).toEqual([])
})

test('the example of the description is a filter that the statement takes', async () => {
  const { rows } = await accountWith(100)
  expect(await rows(statementList.example)).toEqual([])
})
