/** Proof of life, for many calls. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runAs } from '../../test/helpers/run/test-database.ts'
import { allowDuplicate, openOffice, startVoiceService } from '../../test/helpers/service/voice.ts'
import type { Database } from '../store/database.ts'
import { passDatabaseTime } from './testing/database-time.ts'

test('every live call is stamped, however many there are, but for those that moved a moment ago', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  await service.app.jobs.stop()
  const inDatabase = (statement: string) => runAs(service.database.url, statement)
  const place = async () => {
    const request = { extension: '1000', called: '558000001111' }
    const placed = await service.api.post('/calls', request, { ...office, headers: allowDuplicate })
    expect(placed.status).toBe(200)
    return String(placed.body.id)
  }
  const early: string[] = []
  while (early.length < 450) early.push(...(await Promise.all(Array.from({ length: 30 }, place))))
  service.clock.advance(60)
  await passDatabaseTime(inDatabase, 60)
  const late = await Promise.all(Array.from({ length: 10 }, place))
  const lateBegan = service.clock.now()
  service.clock.advance(2)
  await passDatabaseTime(inDatabase, 2)
  await service.app.lease.renew()

  const signs = async (ids: string[]) => {
    const rows = await service.db.selectFrom('calls').select('alive_at').where('id', 'in', ids).execute()
    return [...new Set(rows.map(({ alive_at }) => alive_at.toISOString()))]
  }
  expect(await signs(early)).toEqual([service.clock.now().toISOString()])
  expect(await signs(late)).toEqual([lateBegan.toISOString()])
  expect(service.engine.liveCalls()).toHaveLength(460)
  await service.stop()
})

test('D562: a node renews its lease and stamps its calls while requests and calls use every other connection of its process', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  await service.app.jobs.stop()
  const placed = await service.api.post('/calls', { extension: '1000', called: '558000001111' }, office)
  expect(placed.status).toBe(200)
  service.clock.advance(60)
  await passDatabaseTime((statement) => runAs(service.database.url, statement), 60)
  const { db, callsDb } = service.app.services.base
  const waitForLock = (pool: Database) => sql`select pg_advisory_xact_lock(562)`.execute(pool)
  const more = 40
  let renewed = false
  let waiting: Promise<unknown>[] = []
  await service.db.transaction().execute(async (tx) => {
    await waitForLock(tx)
    waiting = [db, callsDb].flatMap((pool) => Array.from({ length: more }, () => waitForLock(pool)))
    void Promise.all(waiting).then(() => expect(renewed).toBe(true))
    await service.app.lease.renew()
    renewed = true
  })
  await Promise.all(waiting)
  const call = await service.db.selectFrom('calls').select('alive_at').executeTakeFirstOrThrow()
  expect(call.alive_at).toEqual(service.clock.now())
  await service.stop()
})
