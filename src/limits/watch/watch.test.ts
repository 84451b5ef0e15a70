import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { type CallFields, insertAccount, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import type { Database } from '../../store/database.ts'
import type { Alert } from '../alerts/alert.ts'
import { createWatch } from './watch.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api,worker,voice' })
})
afterAll(() => service.stop())

let accountId: number
beforeEach(async () => {
  accountId = await insertAccount(service.db)
})

const minute = 60_000
const day = 24 * 60 * minute

/** The alerts of the account that one tick at a moment raises. */
async function alertsAt(at: string): Promise<Alert[]> {
  const raised: Alert[] = []
  const alerts = {
    async write(_tx: Database, id: number, alert: Alert) {
      if (id === accountId) raised.push(alert)
      return true
    },
    wake() {},
  }
  await createWatch({ db: service.db, clock: createTestClock(at), alerts }).tick()
  return raised
}

/** `count` calls, one each second, that end at a moment. */
const calls = (until: string, count: number, fields: CallFields = {}) =>
  insertCalls(
    service.db,
    accountId,
    Array.from({ length: count }, (_, n) => ({
      started_at: new Date(Date.parse(until) - n * 1000),
      ...fields,
    })),
  )
const noon = '2026-11-16T15:05:00.000Z'
/** 02:30 in São Paulo. */
const night = '2026-11-16T05:30:00.000Z'
const daysBefore = (at: string, days: number) => new Date(Date.parse(at) - days * day).toISOString()

describe('velocity (D197)', () => {
  test('30 calls in ten minutes of an account without history', async () => {
    await calls(noon, 29)
    expect(await alertsAt(noon)).toEqual([])
    await calls(noon, 1)
    expect(await alertsAt(noon)).toEqual([{ rule: 'velocity', calls: 30, usual: 0 }])
  })

  test('five times the usual, which is the average of ten minutes with calls in the last week', async () => {
    for (const days of [1, 2, 3]) await calls(daysBefore(noon, days), 10)
    await calls(noon, 49)
    expect(await alertsAt(noon)).toEqual([])
    await calls(noon, 1)
    expect(await alertsAt(noon)).toEqual([{ rule: 'velocity', calls: 50, usual: 10 }])
  })

  test('unanswered calls count like any other; internal and inbound ones do not (D199)', async () => {
    await calls(noon, 29, { status: 'no_answer', duration: 0 })
    await calls(noon, 50, { call_type: 'internal' })
    await calls(noon, 50, { call_type: 'inbound' })
    expect(await alertsAt(noon)).toEqual([])
    await calls(noon, 1, { status: 'completed', hangup_cause: 'NORMAL_CLEARING', duration: 3 })
    expect(await alertsAt(noon)).toMatchObject([{ rule: 'velocity', calls: 30 }])
  })

  test('older calls do not count', async () => {
    await calls(new Date(Date.parse(noon) - 11 * minute).toISOString(), 40)
    expect(await alertsAt(noon)).toEqual([])
  })
})

describe('night (D197)', () => {
  test('five calls between midnight and six, local to the account, of one that has none there', async () => {
    await calls(daysBefore(noon, 3), 20)
    await calls(night, 4)
    expect(await alertsAt(night)).toEqual([])
    await calls(night, 1)
    expect(await alertsAt(night)).toEqual([{ rule: 'night', calls: 5 }])
  })

  test('not of an account that called in a night of the last two weeks', async () => {
    await calls(daysBefore(night, 13), 1)
    await calls(night, 10)
    expect(await alertsAt(night)).toEqual([])
  })

  test('not before midnight nor after six', async () => {
    for (const at of ['2026-11-16T02:59:00.000Z', '2026-11-16T09:20:00.000Z']) {
      await calls(at, 10)
      expect(await alertsAt(at)).toEqual([])
    }
  })
})

describe('a new country (D197)', () => {
  test('is reported with its first call, and not again', async () => {
    await calls(noon, 2, { to_number: '12125550123' })
    await calls(noon, 1, { to_number: '351912345678' })
    await calls(noon, 1)
    expect(await alertsAt(noon)).toEqual([{ rule: 'new-country', countries: ['PT', 'US'] }])
    await calls(noon, 1, { to_number: '12125550124' })
    await calls(noon, 1, { to_number: '881612345678' })
    expect(await alertsAt(noon)).toEqual([{ rule: 'new-country', countries: ['+881'] }])
    expect(await alertsAt(noon)).toEqual([])
  })
})
