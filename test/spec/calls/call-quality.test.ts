/** D284: the quality of a call in its record and in channel-hangup. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService

beforeAll(async () => {
  service = await startVoiceService()
  service.engine.behave(() => ['rings', 'picksUp', 'answers'])
})
afterAll(() => service.stop())

const leg = {
  packets: 990,
  lost: 10,
  droppedByKernel: 4,
  lossPercent: 1,
  jitterMs: 3.12,
  roundTripMs: 41.6,
  rFactor: 88.888,
}
const shown = { packets: 990, loss: 1, dropped: 4, jitter: 3.1, roundTrip: 42, rFactor: 88.9 }

test('D284, D633: each leg has its loss, what the kernel dropped, jitter, round trip and R-factor once the call is over', async () => {
  const office = await openOffice(service)
  const { id } = (await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office))
    .body
  const show = async () => (await service.api.get(`/calls/${id}`, office)).body
  await expect.poll(async () => (await show()).status).toBe('answered')
  expect((await show()).quality).toBeNull()
  const reported = { ...leg, roundTripMs: undefined, droppedByKernel: undefined }
  service.engine.measure(id, { extension: reported, other: leg })
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  const { dropped, ...withoutDropped } = shown
  expect(dropped).toBe(4)
  const quality = { extension: { ...withoutDropped, roundTrip: null }, destination: shown }
  expect((await show()).quality).toEqual(quality)
  const { data } = (await service.api.get('/events', office)).body
  const [hangup] = data.filter(({ eventType }: { eventType: string }) => eventType === 'channel-hangup')
  expect(hangup.quality).toEqual(quality)
})

test('a call without sound has none, in record and event', async () => {
  const office = await openOffice(service)
  const { id } = (await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office))
    .body
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  expect((await service.api.get(`/calls/${id}`, office)).body.quality).toBeNull()
  const { data } = (await service.api.get('/events', office)).body
  expect(data.at(-1)).not.toHaveProperty('quality')
})
