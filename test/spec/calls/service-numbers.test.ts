/** D272: three-digit services and emergency numbers, by the field `services` of a trunk. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  const trunk = { name: 'main', address: 'sip:203.0.113.7', services: ['190', '180', '1052'] }
  service = await startVoiceService({ TRUNKS: JSON.stringify([trunk]), TRIAL_CREDIT: '0.00' })
  office = await openOffice(service)
  service.engine.behave(() => ['rings'])
})
afterAll(() => service.stop())

const place = (called: string) => service.api.post('/calls', { extension: '1000', called }, office)
const dial = (dialled: string) =>
  service.engine.receive({ from: { extension: office.extension('1000') }, dialled })

test('a listed number is called over the API, and is free, also for an account without credit', async () => {
  expect((await place('+55 48 99999-8888')).status).toBe(402)
  const { status, body } = await place('190')
  expect([status, service.engine.requests().at(-1)?.destination]).toEqual([200, { number: '190' }])
  service.engine.pickUp(body.id)
  service.engine.answer(body.id)
  service.clock.advance(90)
  service.engine.hangUpBy(body.id, 'extension')
  const read = async () => (await service.api.get(`/calls/${body.id}`, office)).body
  await expect.poll(async () => (await read()).status).toBe('completed')
  expect(await read()).toMatchObject({
    to: '190',
    call_type: 'outbound',
    duration: 90,
    minute_price: 0,
    call_price: 0,
  })
})

test('a phone dials it too, before an extension of the same number', async () => {
  await office.addExtension('1052')
  expect(await dial('1052')).toMatchObject({ destination: { number: '1052' } })
  expect(await dial('180')).toMatchObject({ destination: { number: '180' } })
})

test('what no trunk lists is refused', async () => {
  expect((await place('193')).status).toBe(422)
  expect((await place('181')).status).toBe(422)
  expect(await dial('193')).toMatchObject({ rejected: 'OUTGOING_CALL_BARRED' })
  expect(await dial('181')).toEqual({ rejected: 'UNALLOCATED_NUMBER' })
})

test('an extension has two calls to such numbers at once, over the API and from its phone: another one ends the first', async () => {
  await office.addExtension('1001')
  const call = async (called: string) =>
    (await service.api.post('/calls', { extension: '1001', called }, office)).body.id as string
  const first = await call('190')
  const second = await call('180')
  const live = () => service.engine.liveCalls().filter((id) => [first, second].includes(id))
  expect(live()).toEqual([first, second])
  const third = await service.engine.receive({
    from: { extension: office.extension('1001') },
    dialled: '1052',
  })
  expect(third).toMatchObject({ destination: { number: '1052' } })
  expect(live()).toEqual([second])
  const endOf = async (id: string) => (await service.api.get(`/calls/${id}`, office)).body.ended_at
  await expect.poll(() => endOf(first)).not.toBe(null)
})
