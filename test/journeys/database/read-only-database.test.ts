/** A database that turns read-only (a demoted primary, a provider's full disk) loses no event of a call. */
import { expect, test } from 'vitest'
import { setReadOnly } from '../../helpers/run/test-database.ts'
import { createClient } from '../../helpers/service/client.ts'
import { openOffice, startVoiceService } from '../../helpers/service/voice.ts'

test('D220: events wait until it takes writes again, requests are 503, and D221: /ready is not ready', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const request = { extension: '1000', called: '5548999998888' }
  const { id } = (await service.api.post('/calls', request, office)).body
  const operator = createClient(service.url)
  expect((await operator.get('/ready')).status).toBe(200)

  await setReadOnly(service.database, true)
  service.engine.pickUp(id)
  service.engine.answer(id)
  service.clock.advance(8)
  service.engine.hangUpBy(id, 'other')
  await expect
    .poll(async () => (await operator.get('/ready')).body.waiting)
    .toEqual(['database', 'events of 1 calls wait for the database'])
  const refused = await service.api.post('/users/accessTokens', { ttl: -1 }, office)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await operator.get('/health')).status).toBe(200)

  await setReadOnly(service.database, false)
  const seen = async () => {
    service.timers.advance(500)
    return (await service.api.get(`/calls/${id}`, office)).body
  }
  await expect.poll(seen).toMatchObject({ status: 'completed', duration: 8 })
  await expect.poll(async () => (await operator.get('/ready')).status).toBe(200)
  await service.stop()
})
