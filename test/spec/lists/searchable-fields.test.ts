/** D431: every field of a listed record can be searched by the value that the record shows. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeCall } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service, { gravar_audio: 1 })
  await makeCall()
  const dueDate = new Date(service.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  const charge = { paymentMethod: 'PIX', dueDate, amount: 50, description: 'Recarga', metadata: { a: 1 } }
  await service.api.post('/charges', charge, office)
  const integration = { gateway: 'crm', webhookConstraint: { team: 'x' }, metadata: { a: '1' } }
  await service.api.patch('/integrations', integration, office)
})
afterAll(() => service.stop())

/** Fields of a recorded call that was answered. */
async function makeCall() {
  service.engine.behave(() => ['rings'])
  const call = { extension: '1000', called: '5548999998888', metadata: { lead: 7, tags: ['a', 'b'] } }
  const { id } = (await service.api.post('/calls', call, office)).body
  service.engine.pickUp(id)
  service.engine.answer(id)
  await vi.waitFor(async () => expect((await recordOf(id)).status).toBe('answered'), 10_000)
  service.clock.advance(60)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  await changeCall(service.db, id, { recording: 'stored' })
}
const recordOf = async (id: string) => (await service.api.get(`/calls/${id}`, office)).body

/** What the state of a phone or a delivery says, and what nobody may search by (D25, D71). */
const unsearchable = {
  calls: [],
  charges: [],
  extensions: ['senha', 'bina_verified', 'user_uuid', 'registered', 'registered_at', 'user_agent'],
  users: [],
  integrations: ['secret', 'previousSecretUntil', 'lastError', 'lastErrorAt'],
} satisfies Record<string, string[]>

test.each(Object.entries(unsearchable))(
  'a record of /%s is found by each of its fields',
  async (list, left) => {
    const rowsOf = async (where: object) => {
      const { status, body } = await service.api.get(`/${list}?${filter({ where })}`, office)
      return { status, message: body.error?.message, rows: body.data ?? body }
    }
    const [record] = (await rowsOf({})).rows
    expect(Object.keys(record).length).toBeGreaterThan(8)
    for (const [field, value] of Object.entries(record)) {
      const isObject = typeof value === 'object' && value !== null
      const [key, inner] = isObject ? (Object.entries(value)[0] ?? []) : []
      const where = isObject ? { [`${field}.${key}`]: inner } : { [field]: value }
      const { status, message, rows } = await rowsOf(where)
      if (left.includes(field as never)) expect(status, field).toBe(400)
      else
        expect([status, message, rows.length], `${field}: ${JSON.stringify(value)}`).toEqual([
          200,
          undefined,
          1,
        ])
    }
  },
)

test('calls with a recording are found, and those without', async () => {
  const found = async (record_url: unknown) =>
    (await service.api.get(`/calls?${filter({ where: { record_url } })}`, office)).body.data.length
  expect([await found({ neq: '' }), await found(''), await found('https://x.example/')]).toEqual([1, 0, 0])
})

test('a list in metadata is shown as it was sent; as a value of a filter it is 400 (D28)', async () => {
  const { body } = await service.api.get('/calls', office)
  expect(body.data[0].metadata.tags).toEqual(['a', 'b'])
  const refused = await service.api.get(`/calls?${filter({ where: { 'metadata.tags': ['a'] } })}`, office)
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'filter.where.metadata.tags: must be text, a number, true or false',
  ])
})
