/** D501: whether a node has taken a call is known for good before a request says so. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertCalls, live } from '../../../test/helpers/service/call-rows.ts'
import { type Books, openBooks } from '../../billing/testing/books.ts'
import { claimCalls, findStage } from './unclaimed-store.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

/** A call whose node has begun a transaction in time; then the time to claim it passes. */
async function lateFor(node: string) {
  const { accountId } = await books.addAccount()
  const [id = ''] = await insertCalls(books.db, accountId, [{ ...live('queued'), node }])
  await sql`insert into unclaimed_calls (call_id, node, origin, command, claim_until)
    values (${id}, ${node}, 'origin', '{}', now() + interval '1 hour')`.execute(books.db)
  const claiming = await books.db.startTransaction().execute()
  await sql`update unclaimed_calls set claim_until = clock_timestamp() where call_id = ${id}`.execute(
    books.db,
  )
  return { id, claiming }
}

/** Sessions that wait for the lock of another one. */
const waiting = async () => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(books.db)
  return rows.length
}

test('a claim that began in time is waited for, however late it is committed', async () => {
  const { id, claiming } = await lateFor('slow')
  expect(await claimCalls(claiming, 'slow')).toMatchObject([{ callId: id }])
  const stage = findStage(books.db, id)
  await expect.poll(waiting).toBe(1)
  await claiming.commit().execute()
  expect(await stage).toBe('claimed')
})

test('a claim that is rolled back leaves a call that its node can claim no more', async () => {
  const { id, claiming } = await lateFor('failing')
  await claimCalls(claiming, 'failing')
  const stage = findStage(books.db, id)
  await expect.poll(waiting).toBe(1)
  await claiming.rollback().execute()
  expect(await stage).toBe('not taken')
  expect(await claimCalls(books.db, 'failing')).toEqual([])
})

test('a call that nobody claims in time is kept from a node whose transaction began in time', async () => {
  const { id, claiming } = await lateFor('later')
  expect(await findStage(books.db, id)).toBe('not taken')
  expect(await claimCalls(claiming, 'later')).toEqual([])
  await claiming.commit().execute()
})
