/** D208: calls while the database is away, with credit and without. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { hideDatabase } from '../../helpers/run/test-database.ts'
import { addCredit } from '../../helpers/service/operator.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())

/** R$ 0.12 a minute; an account begins with R$ 10.00. */
const mobile = '5548999998888'

async function talk({ token }: { token: string }): Promise<string> {
  const { body } = await service.api.post('/calls', { extension: '1000', called: mobile }, { token })
  service.engine.pickUp(body.id)
  service.engine.answer(body.id)
  await service.eventsStored()
  return body.id
}

function pass(seconds: number) {
  service.clock.advance(seconds)
  service.timers.advance(seconds * 1000)
}

/** What the job does every 5 s. */
const extend = () => service.tick('credit of live calls')

test('a call goes on while the balance that was known last covers it, and is paid for afterwards', async () => {
  const [rich, poor] = [await openOffice(service), await openOffice(service)]
  await addCredit(service, poor.domain, -980)
  const [long, short] = [await talk(rich), await talk(poor)]
  pass(45)
  const { show } = await hideDatabase(service.database.url)
  await expect(extend()).rejects.toThrow()
  pass(16)
  expect(service.engine.liveCalls().sort(), 'their first minute is over').toEqual([long, short].sort())
  pass(41)
  expect(service.engine.liveCalls(), 'R$ 0.20 are 102 s').toEqual([long])
  for (let minutes = 0; minutes < 10; minutes++) pass(60)
  expect(service.engine.liveCalls()).toEqual([long])

  await show()
  await expect
    .poll(() =>
      extend().then(
        () => 'reserved',
        () => 'away',
      ),
    )
    .toBe('reserved')
  const balance = async () => (await service.api.get('/credits/balance', rich)).body
  expect((await balance()).reserved, '12 minutes').toBe(1.44)
  const { events } = service.app.voice.node
  await expect
    .poll(() => {
      // The time of its retries.
      service.timers.advance(500)
      return events.waiting()
    })
    .toBe(0)
  expect((await service.api.post(`/calls/${long}/hangup`, undefined, rich)).status).toBe(200)
  const recordOf = async (id: string, { token }: { token: string }) =>
    (await service.api.get(`/calls/${id}`, { token })).body
  expect(await recordOf(long, rich)).toMatchObject({ duration: 702, call_price: 1.4 })
  expect(await recordOf(short, poor)).toMatchObject({
    duration: 102,
    call_price: 0.2,
    hangup_cause: 'ALLOTTED_TIMEOUT',
  })
  expect(await balance()).toMatchObject({ balance: 8.6, reserved: 0 })
  expect((await verifyLedger(service.db)).findings).toEqual([])
})
