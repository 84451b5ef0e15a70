/** D250: two voice nodes agree in the database on what each may use of a trunk. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import type { TrunkLoad, TrunkShare } from '../../engine/port.ts'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { renewNode, stopNode } from '../../nodes/nodes-store.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { createTrunkShares } from './trunk-shares.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: database.url }, { size: 3, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function startNode(id: string) {
  const row = { id, roles: ['voice'], host: 'machine', version: '1', address: null, state: 'active' as const }
  const load = {
    calls: 0,
    phones: 0,
    clockOffsetMs: undefined,
    trunks: [],
    phoneAddresses: {},
    takesCalls: true,
    parts: {},
    startedAt: new Date(),
  }
  const trunk: TrunkLoad = { name: 'main', channels: 10, callsPerSecond: 4, used: 0, begun: 0, problems: [] }
  let others = 0
  let limits: ReadonlyMap<string, TrunkShare> | undefined
  const shares = createTrunkShares({
    db,
    timers: createTestTimers(),
    node: id,
    engine: {
      trunks: () => [trunk],
      limitTrunks(given) {
        limits = given
      },
    },
    otherVoiceNodes: () => others,
  })
  const node = {
    trunk,
    share: () => limits?.get('main'),
    async tick() {
      others = (await renewNode(db, { ...row, ...load }, 20)).otherVoiceNodes
      await shares.tick()
    },
    stop: () => stopNode(db, id),
  }
  await node.tick()
  return node
}

test('a node alone uses all; a second one gets its part as soon as the first has reported, and all when it is alone', async () => {
  const first = await startNode('first')
  expect(first.share()).toBeUndefined()
  first.trunk.used = 6
  const second = await startNode('second')
  expect(second.share()).toEqual({ channels: 0, callsPerSecond: 0 })
  await first.tick()
  expect(first.share()).toEqual({ channels: 8, callsPerSecond: 2 })
  await second.tick()
  expect(second.share()).toEqual({ channels: 2, callsPerSecond: 2 })

  first.trunk.used = 0
  await first.tick()
  await second.tick()
  expect([first.share()?.channels, second.share()?.channels]).toEqual([5, 5])

  await first.stop()
  await second.tick()
  expect(second.share()).toBeUndefined()
  const left = await db.selectFrom('trunk_shares').select('node').where('node', '=', 'second').execute()
  expect(left).toEqual([])
})
