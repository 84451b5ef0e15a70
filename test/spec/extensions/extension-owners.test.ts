/** D148: an extension belongs to a user by id; a USER calls from their own extensions, an ADMIN from any. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { filter } from '../../helpers/service/client.ts'
import { addUser, newUser, password } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'
import { changeEmail } from '../../helpers/stored/people-rows.ts'

let service: VoiceService
let office: Office
let me: { uuid: string }
type Person = Awaited<ReturnType<typeof addUser>>
let bia: Person
let caio: Person

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
  me = (await service.api.get('/users/me', office)).body
  bia = await addUser(service as unknown as Service, office)
  caio = await addUser(service as unknown as Service, office)
  await office.addExtension('2000', { email_address: bia.email })
  await office.addExtension('3000', { email_address: caio.email })
})
afterAll(() => service.stop())
beforeEach(() => service.engine.behave(() => ['rings']))

const place = ({ token }: { token: string }, extension: string) =>
  service.api.post('/calls', { extension, called: '5548999998888' }, { token, headers: allowDuplicate })
const hangUp = (who: { token: string }, id: string) =>
  service.api.post(`/calls/${id}/hangup`, undefined, { token: who.token })
const shown = async (who: { token: string }, ramal: string) =>
  (await service.api.get(`/extensions?${filter({ where: { ramal } })}`, who)).body[0]

test('a USER calls from their own extension; of a colleague it is answered like one that is unknown', async () => {
  expect((await place(bia, '2000')).status).toBe(200)
  const colleague = await place(bia, '3000')
  const unknown = await place(bia, '9999')
  expect([colleague.status, unknown.status]).toEqual([422, 422])
  const withoutNumber = ({ body }: typeof unknown) => JSON.stringify(body).replaceAll(/\d000|9999/g, '…')
  expect(withoutNumber(colleague)).toBe(withoutNumber(unknown))
  const dialled = await service.api.post('/dialer', { extension: '3000', phone: '5548999998888' }, bia)
  expect(dialled.body.error.code).toBe('EXTENSION_UNKNOWN')
  expect((await place(office, '3000')).status).toBe(200)
})

test('the record tells who placed the call and whose extension it was', async () => {
  const { id } = (await place(office, '2000')).body
  const { body: call } = await service.api.get(`/calls/${id}`, office)
  expect(call).toMatchObject({ user_uuid: me.uuid, extension_user_uuid: bia.uuid, email: bia.email })
  const find = async (where: object) =>
    (await service.api.get(`/calls?page=1&${filter({ where, fields: ['id'], limit: 1 })}`, office)).body.data
  expect(await find({ id, user_uuid: me.uuid, extension_user_uuid: bia.uuid })).toEqual([{ id }])
  expect(await find({ id, user_uuid: bia.uuid })).toEqual([])
})

test('a USER hangs up calls they placed and calls on their extension; others are not found', async () => {
  const { id: own } = (await place(bia, '2000')).body
  const { id: placedForMe } = (await place(office, '2000')).body
  const { id: other } = (await place(caio, '3000')).body
  expect((await hangUp(bia, own)).status).toBe(200)
  expect((await hangUp(bia, placedForMe)).status).toBe(200)
  const refused = await hangUp(bia, other)
  expect([refused.status, refused.body.error.code]).toEqual([404, 'CALL_NOT_FOUND'])
  expect((await hangUp(office, other)).status).toBe(200)
  // Nor is it said that the call has ended.
  expect((await hangUp(bia, other)).body.error.code).toBe('CALL_NOT_FOUND')
})

test('a user who takes the e-mail of an extension later gets neither its password nor its calls', async () => {
  const senha = async () => (await shown(bia, '4000')).senha
  await office.addExtension('4000', { email_address: 'vaga@padaria.example' })
  await changeEmail(service.db, bia.uuid, 'vaga@padaria.example')
  const { body } = await service.api.post('/users/login', { email: 'vaga@padaria.example', password })
  const moved = { token: String(body.id) }
  expect((await shown(moved, '4000')).senha).toBeNull()
  expect((await place(moved, '4000')).status).toBe(422)
  // The extension that was theirs still is, also when the record is sent back whole.
  const { user_uuid, ...whole } = await shown(office, '2000')
  expect(user_uuid).toBe(bia.uuid)
  await service.api.patch('/extensions', { ...whole, first_name: 'Bia' }, office)
  expect((await shown(moved, '2000')).senha).toBe('s3nha-do-ramal')
  // An ADMIN who writes the e-mail gives the extension to its user.
  await service.api.patch(
    '/extensions',
    { id: (await shown(office, '4000')).id, email_address: 'vaga@padaria.example' },
    office,
  )
  expect((await shown(moved, '4000')).user_uuid).toBe(bia.uuid)
  expect(await senha()).toBe('s3nha-do-ramal')
})

test('an extension made for an e-mail belongs to the user who is made with it later, also in a race', async () => {
  const people = Array.from({ length: 8 }, () => newUser())
  const [first] = people
  await office.addExtension('5000', { email_address: first?.email })
  expect((await shown(office, '5000')).user_uuid).toBeNull()
  await Promise.all(
    people.flatMap((person, index) => [
      service.api.post('/users', person, office),
      ...(index === 0 ? [] : [office.addExtension(`500${index}`, { email_address: person.email })]),
    ]),
  )
  const { body } = await service.api.get(
    `/extensions?${filter({ where: { ramal: { like: '500%' } } })}`,
    office,
  )
  expect(body).toHaveLength(8)
  for (const { user_uuid, email_address } of body) {
    const { body: users } = await service.api.get(
      `/users?${filter({ where: { email: email_address } })}`,
      office,
    )
    expect(user_uuid).toBe(users[0].uuid)
  }
})

test('a user of another account with that e-mail gets nothing', async () => {
  const neighbour = await openOffice(service)
  await office.addExtension('6000', { email_address: neighbour.email })
  expect((await shown(office, '6000')).user_uuid).toBeNull()
})
