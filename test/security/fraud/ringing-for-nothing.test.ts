/** Calls that are hung up before they cost anything, to make phones ring for nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService({ NEW_CALLS_PER_DAY: '8' })
})
afterAll(() => service.stop())

test('D199: calls of up to 3 s stay free, but count in the ceiling of the day like any other', async () => {
  const office = await openOffice(service)
  const call = () => service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office)
  const answers = []
  for (let n = 0; n < 10; n += 1) {
    const { status, body } = await call()
    answers.push(status)
    if (status !== 200) continue
    if (n % 2 === 0) {
      service.engine.pickUp(body.id)
      service.engine.answer(body.id)
      await service.eventsStored()
      service.clock.advance(3)
    }
    await service.api.post(`/calls/${body.id}/hangup`, undefined, office)
    expect((await service.api.get(`/calls/${body.id}`, office)).body.call_price).toBe(0)
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429, 429])
  expect((await service.api.get('/credits/balance', office)).body.balance).toBe(10)
})
