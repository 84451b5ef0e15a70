/** One account's searches wait for each other, never for or with the rest of the service (D186). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filter } from '../../helpers/service/client.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'
import { whileLocked } from '../../helpers/stored/table-lock.ts'

let service: VoiceService
let attacker: Office
let office: Office

beforeAll(async () => {
  service = await startVoiceService({ RATE_LIMITS: 'off' })
  attacker = await openOffice(service)
  office = await openOffice(service)
})
afterAll(() => service.stop())

/** As long as the audit log is locked, a list of it runs until it is cancelled. */
async function withAuditLocked(work: () => Promise<void>) {
  await whileLocked(service.database.url, 'audit', work)
}

test('searches that never end are cancelled, refused or wait; calls, users and lists of others go on', async () => {
  const codes: string[] = []
  const hostile: Promise<void>[] = []
  const search = async () => {
    const { status, body } = await service.api.get('/accounts/audit?page=1', attacker)
    codes.push(status === 200 ? 'found' : body.error.code)
  }
  await withAuditLocked(async () => {
    for (let n = 0; n < 40; n += 1) hostile.push(search())
    await Promise.race(hostile)
    expect(codes[0]).toBe('SEARCHES_BUSY')

    const placed = await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office)
    expect(placed.status).toBe(200)
    expect((await service.api.get('/users/me', office)).status).toBe(200)
    expect((await service.api.get('/users', office)).status).toBe(200)
    expect((await service.api.get('/calls?page=1', office)).body.meta.totalItemCount).toBe(1)

    await expect.poll(() => codes, { timeout: 10_000 }).toContain('SEARCH_TOO_EXPENSIVE')
  })
  await Promise.all(hostile)
  expect(new Set(codes)).toEqual(new Set(['found', 'SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY']))
})

test('a search too many says when to try again', async () => {
  await withAuditLocked(async () => {
    const asked = Array.from({ length: 22 }, () => service.api.get('/accounts/audit?page=1', attacker))
    const refused = await Promise.race(asked)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  })
})

test('lists that an index serves and lists of anything but calls do not wait for a search that reads calls', async () => {
  const scan = filter({ where: { first_name: { regexp: '^A' } } })
  await whileLocked(service.database.url, 'caller_values', async (lock) => {
    let isOver = false
    const scanned = service.api.get(`/calls?page=1&${scan}`, attacker).finally(() => {
      isOver = true
    })
    await expect.poll(lock.waiting).toBe(1)
    const paths = [
      '/calls?page=1',
      `/calls?page=1&${filter({ where: { extension: '1000' } })}`,
      '/extensions',
      '/users',
      '/charges?page=1',
      '/credits/statement?page=1',
      '/calls/stats?from=2026-11-13T00:00:00-03:00&to=2026-11-16T00:00:00-03:00',
    ]
    const answers = paths.map(async (path) => ({
      path,
      status: (await service.api.get(path, attacker)).status,
      waited: isOver,
    }))
    expect(await Promise.all(answers)).toEqual(paths.map((path) => ({ path, status: 200, waited: false })))
    expect((await scanned).body.error.code).toBe('SEARCH_TOO_EXPENSIVE')
  })
})
