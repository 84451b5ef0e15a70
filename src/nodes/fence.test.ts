/** A node that is cut off from the database, behind a proxy that swallows packets (D225). */
import { expect, test } from 'vitest'
import { startTcpProxy } from '../../test/helpers/programs/tcp-proxy.ts'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import type { Cause } from '../contract/calls/causes.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { watchConnections } from '../store/connection/connection-watch.ts'
import { createDatabaseClock } from '../store/connection/database-clock.ts'
import { openDatabase, openPool } from '../store/database.ts'
import { leaseSilentMs } from '../store/open-store.ts'
import { createFleetView } from './fleet-view.ts'
import { createNodeLease, fenceSeconds, renewSeconds } from './lease.ts'
import { graceSeconds, leaseSeconds } from './nodes-store.ts'

async function startNode() {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.url)
  const pool = openPool({ connectionString: proxy.url }, { size: 2, onError: () => {} })
  const db = openDatabase(pool)
  const timers = createTestTimers()
  const hungUp: [string, Cause | undefined][] = []
  const fenced: boolean[] = []
  const lease = createNodeLease({
    db,
    databaseClock: createDatabaseClock(),
    timers,
    node: { id: 'cut off', roles: ['voice'], host: 'machine', version: '1', address: () => undefined },
    voice: {
      engine: {
        liveCalls: () => [],
        phones: () => 0,
        trunks: () => [],
        addresses: () => ({}),
        hangUp: (id, cause) => hungUp.push([id, cause]) > 0,
      },
      proofs: () => [],
      takesCalls: () => true,
      setFenced: (isFenced) => fenced.push(isFenced),
    },
    notices: { listen() {} },
    fleet: createFleetView(),
  })
  return {
    lease,
    proxy,
    pool,
    timers,
    fenced,
    async stop() {
      proxy.close()
      await db.destroy()
      await database.drop()
    },
  }
}

test('hangs up its calls before others may end them, however its clock is set, and takes calls again once it renewed', async () => {
  const { lease, proxy, timers, fenced, stop } = await startNode()
  const most = (fenceSeconds - 5) * 1000
  await lease.renew()
  timers.advance(most)
  await lease.renew()
  timers.advance(most)
  expect(fenced).toEqual([false, false])

  proxy.swallowAll()
  void lease.renewRow().catch(() => {})
  timers.advance(4_999)
  expect(fenced.at(-1)).toBe(false)
  timers.advance(1)
  expect(fenced.at(-1)).toBe(true)
  expect(fenceSeconds, 'others end its calls then').toBeLessThan(leaseSeconds + graceSeconds)

  proxy.restore()
  const again = openDatabase(openPool({ connectionString: proxy.url }, { size: 1, onError: () => {} }))
  await again.destroy()
  await expect
    .poll(async () => {
      await lease.renewRow()
      return fenced.at(-1)
    })
    .toBe(false)
  await stop()
})

test('D562: renews its lease by a new connection at once if the one of the lease is silently dead', async () => {
  const { lease, proxy, pool, timers, fenced, stop } = await startNode()
  watchConnections(pool, { silentMs: 200, lookEveryMs: 20 })
  await lease.renewRow()
  proxy.swallowOpen()
  timers.advance(renewSeconds * 1000)
  await lease.renewRow()
  timers.advance((fenceSeconds - 1) * 1000)
  expect(fenced).toEqual([false, false])
  const lookMs = 1_000
  const latest = renewSeconds * 1000 + 2 * (leaseSilentMs + lookMs)
  expect(latest).toBeLessThanOrEqual(fenceSeconds * 1000)
  await stop()
})

test('D562: tries again every second while the database is away, so that it is not fenced once that is back', async () => {
  const { lease, proxy, timers, stop } = await startNode()
  let woken = 0
  lease.onWake(() => {
    woken += 1
  })
  await lease.renewRow()
  timers.advance(renewSeconds * 1000)
  expect(woken).toBe(0)
  proxy.close()
  for (let seconds = 1; seconds <= 3; seconds += 1) {
    await expect(lease.renewRow()).rejects.toThrow()
    timers.advance(999)
    expect(woken).toBe(seconds - 1)
    timers.advance(1)
    expect(woken).toBe(seconds)
  }
  await lease.renewRow().catch(() => {})
  await lease.release().catch(() => {})
  timers.advance(renewSeconds * 1000)
  expect(woken, 'a node that has left its fleet renews nothing').toBe(3)
  await stop()
})
