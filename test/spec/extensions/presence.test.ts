/** D674, D675: what colleagues do now, and do not disturb. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addUser } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
let bia: Awaited<ReturnType<typeof addUser>>

beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.engine.behave(() => ['rings'])
  office = await openOffice(service)
  bia = await addUser(service as unknown as Service, office)
  await office.addExtension('1001', { email_address: bia.email, first_name: 'Bia', last_name: 'Lima' })
  await expect.poll(() => states()).toEqual({ 1000: 'free', 1001: 'free' })
})

type Presence = { id: number; ramal: string; presence: string }
type Person = { token: string }

const presences = async ({ token }: Person = office): Promise<Presence[]> =>
  (await service.api.get('/extensions/presence', { token })).body
const states = async (who: Person = office) =>
  Object.fromEntries((await presences(who)).map(({ ramal, presence }) => [ramal, presence]))

async function set(ramal: string, do_not_disturb: unknown, { token }: Person = office) {
  const { id } = (await presences()).find((one) => one.ramal === ramal) ?? { id: 0 }
  return await service.api.send('PUT', `/extensions/${id}/do-not-disturb`, { do_not_disturb }, { token })
}

const newest = async () => (await service.api.get('/calls?page=1', office)).body.data[0]
const dial = (dialled: string) =>
  service.engine.receive({ from: { extension: office.extension('1000') }, dialled })

test('GET /extensions/presence tells a USER who is free, rings, talks and is offline, but not with whom', async () => {
  expect((await presences(bia))[1]).toEqual({
    id: expect.any(Number),
    ramal: '1001',
    first_name: 'Bia',
    last_name: 'Lima',
    presence: 'free',
    do_not_disturb: false,
  })
  const { body } = await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office)
  await expect.poll(() => states(bia)).toEqual({ 1000: 'ringing', 1001: 'free' })
  service.engine.pickUp(body.id)
  service.engine.answer(body.id)
  await expect.poll(() => states(bia)).toEqual({ 1000: 'in-call', 1001: 'free' })
  expect(JSON.stringify(await presences(bia))).not.toContain('5548999998888')
  await service.api.post(`/calls/${body.id}/hangup`, undefined, office)
  await expect.poll(() => states(bia)).toEqual({ 1000: 'free', 1001: 'free' })
  service.engine.forget(office.extension('1001'))
  await expect.poll(() => states()).toEqual({ 1000: 'free', 1001: 'offline' })
})

test('it tells nothing of other accounts', async () => {
  const other = await openOffice(service)
  expect((await presences(other)).map(({ ramal }) => ramal)).toEqual(['1000'])
})

test('a USER sets do not disturb for their own extension, an ADMIN for any, which is recorded', async () => {
  expect(await set('1001', true, bia)).toMatchObject({ status: 200, body: { do_not_disturb: true } })
  expect(await states()).toEqual({ 1000: 'free', 1001: 'do-not-disturb' })
  const refused = await set('1000', true, bia)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'ACCESS_DENIED'])
  expect((await set('1001', false)).status).toBe(200)
  expect(await states()).toEqual({ 1000: 'free', 1001: 'free' })
  expect((await set('1009', true)).body.error.code).toBe('EXTENSION_NOT_FOUND')
  expect((await set('1001', 'yes')).body.error.code).toBe('VALIDATION_FAILED')
  const { body: audit } = await service.api.get('/accounts/audit?page=1', office)
  expect(audit.data[0]).toMatchObject({
    action: 'extension.updated',
    subject: '1001',
    details: { changed: ['do_not_disturb'], do_not_disturb: false },
  })
})

test('a colleague who dials it hears busy, and the call is recorded', async () => {
  await set('1001', true, bia)
  expect(await dial('1001')).toEqual({ rejected: 'USER_BUSY' })
  expect(await newest()).toMatchObject({ to: '1001', status: 'busy', hangup_cause: 'USER_BUSY' })
  await set('1001', false, bia)
  expect(await dial('1001')).toMatchObject({ destination: { extension: office.extension('1001') } })
})

test('POST /calls and a transfer to it are refused before anybody is rung; calls of its own ring', async () => {
  await set('1001', true, bia)
  const internal = await service.api.post('/calls', { extension: '1000', called: '1001' }, office)
  expect([internal.status, internal.body.error.code]).toEqual([422, 'EXTENSION_DO_NOT_DISTURB'])
  const own = await service.api.post('/calls', { extension: '1001', called: '5548999998888' }, bia)
  expect(own.status).toBe(200)
  const { body: call } = await service.api.post(
    '/calls',
    { extension: '1000', called: '5548999998888' },
    office,
  )
  service.engine.pickUp(call.id)
  service.engine.answer(call.id)
  const show = async () => (await service.api.get(`/calls/${call.id}`, office)).body.status
  await expect.poll(show).toBe('answered')
  const transferred = await service.api.post(`/calls/${call.id}/transfer`, { to: '1001' }, office)
  expect([transferred.status, transferred.body.error.code]).toEqual([422, 'EXTENSION_DO_NOT_DISTURB'])
})

test('a caller from outside is missed as busy, unless another extension shares the number', async () => {
  const bring = () =>
    service.engine.receive({ from: { trunk: 'main', callerId: { number: '5548999997777' } }, dialled: bina })
  const bina = '554833335555'
  await service.api.patch('/extensions', { id: (await presences())[1]?.id, bina }, office)
  await set('1001', true, bia)
  expect(await bring()).toEqual({ rejected: 'USER_BUSY' })
  const missed = (await service.api.get('/calls/missed', office)).body.data
  expect(missed).toMatchObject([{ number: '5548999997777', extension: '1001' }])
  await office.addExtension('1002', { bina })
  expect(await bring()).toMatchObject({ destination: { extension: office.extension('1002') } })
})
