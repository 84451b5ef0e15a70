/** D253: with CALLS_KEPT_MONTHS, calls are removed a whole month at a time, and nothing of them is left but their cost. */
import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountIdOf, insertAccount, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { removeAccount } from '../../helpers/stored/people-rows.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
beforeAll(async () => {
  // The clock begins on 2026-11-15: September and October are kept besides November.
  service = await startService({ CALLS_KEPT_MONTHS: '2' })
})
afterAll(() => service.stop())

const lastOfAugust = new Date('2026-08-31T23:59:59.999Z')
const firstOfSeptember = new Date('2026-09-01T00:00:00.000Z')
const remove = () => service.tick('old calls')

async function totalOf(token: string, where: object): Promise<number> {
  const filter = encodeURIComponent(JSON.stringify({ where, limit: 1 }))
  const { body } = await service.api.get(`/calls?page=1&filter=${filter}`, { token })
  return body.meta.totalItemCount
}

test('calls of older months are removed, with values, counts and recordings; later ones and live ones stay', async () => {
  const owner = await openAccount(service)
  const account = await accountIdOf(service.db, owner.domain)
  const old = Array.from({ length: 700 }, (_, index) => ({
    started_at: new Date(lastOfAugust.getTime() - index * 60_000),
    from_number: index % 2 === 0 ? '1000' : '1001',
    metadata: { campaign: 'winter' },
  }))
  const [removed = ''] = await insertCalls(service.db, account, [
    { started_at: lastOfAugust, ended_at: firstOfSeptember, recording: 'stored' },
  ])
  await insertCalls(service.db, account, old)
  const [kept = ''] = await insertCalls(service.db, account, [{ started_at: firstOfSeptember }])
  const [ringing = ''] = await insertCalls(service.db, account, [
    { ...live('ringing'), started_at: lastOfAugust },
  ])
  const young = Array.from({ length: 600 }, (_, index) => ({
    started_at: new Date(Date.parse('2026-10-10T12:00:00Z') + index * 1000),
    metadata: { campaign: 'spring' },
  }))
  await insertCalls(service.db, account, young)
  const file = join(service.dataDir, 'recordings', `2026/08/31/${removed}.wav`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'sound')
  const { data: entries } = (await service.api.get('/credits/statement', owner)).body
  expect(entries).not.toEqual([])
  await service.tick('call counts')
  expect(await totalOf(owner.token, {})).toBe(1303)

  await remove()

  expect(await totalOf(owner.token, {})).toBe(602)
  expect(await totalOf(owner.token, { from: '1000' })).toBe(602)
  expect(await totalOf(owner.token, { from: '1001' })).toBe(0)
  expect(await totalOf(owner.token, { 'metadata.campaign': 'winter' })).toBe(0)
  expect(await totalOf(owner.token, { 'metadata.campaign': 'spring' })).toBe(600)
  expect(await totalOf(owner.token, { started_at: { lt: '2026-09-01T00:00:00Z' } })).toBe(1)
  expect(await totalOf(owner.token, { started_at: { gte: '2026-08-01T00:00:00Z' } })).toBe(602)
  expect((await service.api.get(`/calls/${removed}`, owner)).status).toBe(404)
  for (const id of [kept, ringing]) expect((await service.api.get(`/calls/${id}`, owner)).status).toBe(200)
  await expect(access(file)).rejects.toThrow(/ENOENT/)
  // Four of the caller and one of the destination of each call, and one of the metadata of young ones.
  expect(await countRows(service.db, 'call_values')).toBe(602 * 5 + 600)
  expect(await countRows(service.db, 'caller_values', { field: 'first_name' })).toBe(1)
  expect(await countRows(service.db, 'caller_values', { field: 'first_name', value: 'Ana' })).toBe(1)
  expect((await service.api.get('/credits/statement', owner)).body.data).toEqual(entries)

  // What is counted after the removal is exact too.
  await insertCalls(service.db, account, [{ started_at: firstOfSeptember, from_number: '1001' }])
  await service.tick('call counts')
  expect(await totalOf(owner.token, {})).toBe(603)
  expect(await totalOf(owner.token, { from: '1001' })).toBe(1)
})

test('an account that is deleted takes its counts along', async () => {
  const account = await insertAccount(service.db)
  const calls = Array.from({ length: 600 }, (_, index) => ({
    started_at: new Date(firstOfSeptember.getTime() + index * 1000),
  }))
  await insertCalls(service.db, account, calls)
  await service.tick('call counts')
  const counts = () => countRows(service.db, 'call_counts', { account_id: account })
  expect(await counts()).toBeGreaterThan(0)
  await removeAccount(service.db, account)
  expect(await counts()).toBe(0)
})

test('without the setting calls are kept for ever', async () => {
  const keeping = await startService()
  try {
    const owner = await openAccount(keeping)
    const account = await accountIdOf(keeping.db, owner.domain)
    await insertCalls(keeping.db, account, [{ started_at: new Date('2001-01-01T00:00:00Z') }])
    await keeping.tick('old calls')
    const { body } = await keeping.api.get('/calls?page=1', owner)
    expect(body.meta.totalItemCount).toBe(1)
  } finally {
    await keeping.stop()
  }
})
