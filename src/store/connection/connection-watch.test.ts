/** Connections that are silently dead, behind a proxy that swallows packets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTcpProxy } from '../../../test/helpers/programs/tcp-proxy.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { createLog } from '../../kit/process/log.ts'
import { openDatabase, openPool } from '../database.ts'
import { createNotices, notify } from '../notices/notices.ts'
import { watchConnections } from './connection-watch.ts'
import { isDatabaseDown } from './database-errors.ts'

let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: Awaited<ReturnType<typeof startTcpProxy>>

beforeAll(async () => {
  scratch = await createTestDatabase()
  proxy = await startTcpProxy(scratch.url)
})
afterAll(async () => {
  proxy.close()
  await scratch.drop()
})

const open = () => openPool({ connectionString: proxy.url }, { size: 1, onError: () => {} })

test('D223: a query without an answer fails as a database that is down, and the next has a new connection', async () => {
  const pool = open()
  const watch = watchConnections(pool, { silentMs: 1_000, lookEveryMs: 20 })
  await pool.query('select 1')
  proxy.swallowOpen()
  const error = await pool.query('select 1').catch((failure) => failure)
  expect(isDatabaseDown(error)).toBe(true)
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  await watch.end()
})

test('a query that runs, and a connection that was used lately, are left alone; one silent as the server is replaced', async () => {
  const pool = open()
  const watch = watchConnections(pool, { silentMs: 60_000, lookEveryMs: 20 })
  await pool.query('select pg_sleep(0.2)')
  proxy.swallowOpen()
  watch.replaceSilent(60_000)
  expect(pool.totalCount).toBe(1)
  const countAfter200ms = () => {
    watch.replaceSilent(200)
    return pool.totalCount
  }
  await expect.poll(countAfter200ms).toBe(0)
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  await watch.end()
})

test('notices notice that the database is silent, report a gap, and are received again', async () => {
  const notices = createNotices({ connectionString: proxy.url }, createLog('silent'), {
    heartbeatMs: 20,
    answerMs: 100,
  })
  const received: string[] = []
  const reported: unknown[] = []
  notices.listen('things', (payload) => received.push(payload))
  notices.onGap(() => reported.push({ connected: notices.connected() }))
  notices.onSilence((ms) => reported.push(ms))
  await notices.connect()
  proxy.swallowOpen()
  await expect.poll(() => reported.slice(0, 2)).toEqual([{ connected: false }, 100])
  await expect.poll(notices.connected).toBe(true)
  const pool = open()
  // Again and again: on a busy machine the connection may be lost a second time.
  const sendAnother = async () => {
    await notify(openDatabase(pool), 'things', 'back')
    return received
  }
  await expect.poll(sendAnother).toContain('back')
  await pool.end()
  await notices.stop()
})
