/** D280, D281: POST /calls/{id}/dtmf, and the keys in the record of a call. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addUser } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  service.engine.behave(() => ['rings', 'picksUp'])
})
afterAll(() => service.stop())
beforeEach(async () => {
  office = await openOffice(service)
})

async function place(): Promise<string> {
  const call = { extension: '1000', called: '5548999998888' }
  return (await service.api.post('/calls', call, office)).body.id
}
const press = (id: string, body: object, { token }: { token: string } = office) =>
  service.api.post(`/calls/${id}/dtmf`, body, { token })

async function answered(): Promise<string> {
  const id = await place()
  service.engine.answer(id)
  await expect.poll(async () => (await service.api.get(`/calls/${id}`, office)).body.status).toBe('answered')
  return id
}

test('keys go to the destination, or to the extension; the record hides them', async () => {
  const id = await answered()
  const { status, body } = await press(id, { digits: '12#' })
  expect([status, body]).toEqual([200, { status: '200', message: 'successful request', id }])
  await press(id, { digits: 'a', to: 'extension' })
  service.engine.press(id, '7', 'extension', 'other')
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  const call = (await service.api.get(`/calls/${id}`, office)).body
  expect(call.keys.map(({ from, to, key }: Record<string, string>) => `${from} ${to} ${key}`)).toEqual([
    'api destination x',
    'api destination x',
    'api destination x',
    'api extension x',
    'extension destination x',
  ])
  expect(call.keys[0].at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect((await service.api.get('/calls?page=1', office)).body.data[0]).not.toHaveProperty('keys')
})

test('with KEY_HISTORY=shown the record has the keys, in capitals', async () => {
  const shown = await startVoiceService({ KEY_HISTORY: 'shown' })
  try {
    shown.engine.behave(() => ['rings', 'picksUp', 'answers'])
    const other = await openOffice(shown)
    const { id } = (await shown.api.post('/calls', { extension: '1000', called: '5548999998888' }, other))
      .body
    const status = async () => (await shown.api.get(`/calls/${id}`, other)).body.status
    await expect.poll(status).toBe('answered')
    await shown.api.post(`/calls/${id}/dtmf`, { digits: '4d' }, other)
    await shown.api.post(`/calls/${id}/hangup`, undefined, other)
    const { keys } = (await shown.api.get(`/calls/${id}`, other)).body
    expect(keys.map(({ key }: { key: string }) => key).join('')).toBe('4D')
  } finally {
    await shown.stop()
  }
})

test('before the answer it is 409, after the end 404, and a call of others is unknown', async () => {
  const id = await place()
  const early = await press(id, { digits: '1' })
  expect([early.status, early.body.error.code]).toEqual([409, 'CALL_NOT_ANSWERED'])
  const agent = await addUser(service, office)
  expect((await press(id, { digits: '1' }, agent)).body.error.code).toBe('CALL_NOT_FOUND')
  expect((await press(id, { digits: '1' }, await openOffice(service))).status).toBe(404)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  const late = await press(id, { digits: '1' })
  expect([late.status, late.body.error.code]).toEqual([404, 'CALL_ENDED'])
})

test.each([{}, { digits: '' }, { digits: '12x' }, { digits: '1'.repeat(33) }, { digits: '1', to: 'both' }])(
  '%j is 422',
  async (body) => {
    expect((await press('0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', body)).status).toBe(422)
  },
)
