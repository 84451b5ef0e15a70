/** More requests than can be served, and clients that do not wait for their answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../helpers/service/client.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { openOffice, startVoiceService } from '../../helpers/service/voice.ts'
import { lockTable } from '../../helpers/stored/table-lock.ts'

/** Until `unlock`, no call can be stored. */
const lockCalls = (url: string) => lockTable(url, 'calls', 'writers')

test('D227: nothing is stored for a client that left, and no phone rings for it', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const locked = await lockCalls(service.database.url)
  const place = (called: string, signal?: AbortSignal) =>
    fetch(`${service.url}/api/v1/calls`, {
      method: 'POST',
      headers: { authorization: office.token, 'content-type': 'application/json' },
      body: JSON.stringify({ extension: '1000', called }),
      ...(signal && { signal }),
    })
  const patient = place('5548999990001')
  await expect.poll(locked.waiting).toBeGreaterThan(0)
  // Waits behind the first.
  const leaving = new AbortController()
  const left = place('5548999990002', leaving.signal).catch(() => 'left')
  await sleep(200)
  leaving.abort()
  expect(await left).toBe('left')
  await sleep(200)
  await locked.unlock()
  expect((await patient).status).toBe(200)
  const later = await place('5548999990003')
  expect(later.status).toBe(200)
  const { data } = (await service.api.get('/calls?page=1', office)).body
  expect(data.map(({ to }: { to: string }) => to).sort()).toEqual(['5548999990001', '5548999990003'])
  expect(service.engine.liveCalls()).toHaveLength(2)
  await service.stop()
})

test('D228: requests beyond MAX_REQUESTS are 503 with Retry-After at once; /health answers', async () => {
  const service = await startVoiceService({ MAX_REQUESTS: '2' })
  const office = await openOffice(service)
  const locked = await lockCalls(service.database.url)
  const place = (called: string) => service.api.post('/calls', { extension: '1000', called }, office)
  const waiting = [place('5548999990001'), place('5548999990002')]
  await expect.poll(locked.waiting).toBeGreaterThan(0)
  const refused = await place('5548999990003')
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '1',
  ])
  expect((await createClient(service.url).get('/health')).status).toBe(200)
  await locked.unlock()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(async () => (await service.api.get('/users/me', office)).status).toBe(200)
  await service.stop()
})

test('D228: requests of one account that hang leave places for others', async () => {
  const service = await startVoiceService({ MAX_REQUESTS: '20' })
  const office = await openOffice(service)
  const other = await openAccount(service)
  const locked = await lockCalls(service.database.url)
  const waiting = Array.from({ length: 20 }, (_, n) =>
    service.api.post('/calls', { extension: '1000', called: `55489999900${10 + n}` }, office),
  )
  expect((await Promise.race(waiting)).status).toBe(503)
  expect((await service.api.get('/users/me', other)).status).toBe(200)
  await locked.unlock()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
  await service.stop()
})
