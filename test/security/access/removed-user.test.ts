/**
 * A user who was removed, and knows `senha` or a credential of 15 minutes, goes on with their phone. The voice node is
 * another process than the one that removes the user.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { addUser, mailedLink, openAccount, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { keep, type TestScope } from '../../sip/engine/engine-setup.ts'
import { openRawPhone } from '../sip/raw-phone.ts'

const senha = 's3nha-do-ramal'
let service: Service
let node: App
let port: number
let admin: Awaited<ReturnType<typeof openAccount>>
let numbers = 1000

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  const settings = {
    ROLES: 'voice',
    PORT: '0',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    RTP_PORTS: '27000-27099',
    DATA_DIR: service.dataDir,
    DATABASE_URL: service.database.url,
    DATABASE_POOL: '6',
  }
  node = await startApp(readConfig(settings), { clock: service.clock, log: createLog('silent') })
  const addresses = await (await fetch(`${node.url}/addresses`)).text()
  port = Number(/"SIP":\s*"[^"]*:(\d+)/.exec(addresses)?.[1])
})
afterAll(async () => {
  await node?.stop()
  await service.stop()
})

async function addExtension(email: string) {
  numbers += 1
  const ramal = String(numbers)
  const person = { first_name: 'Bia', last_name: 'Lima', email_address: email }
  const { body } = await service.api.post('/extensions', { ramal, senha, ...person }, admin)
  return { id: Number(body.id), ramal }
}

const find = async (id: number) => (await service.api.get(`/extensions/${id}`, admin)).body

/** A phone at the voice node, with `senha` or the given credentials. */
async function openPhone(t: TestScope, ramal: string, login: { username?: string; password?: string } = {}) {
  const { username = ramal, password = senha } = login
  return keep(t, await openRawPhone(port, { number: ramal, domain: admin.domain, username, password }))
}

async function issue(who: { token: string }, id: number) {
  const { status, body } = await service.api.post(`/extensions/${id}/phone-credential`, undefined, who)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { username: String(body.username), password: String(body.password) }
}

const remove = (uuid: string, query = '') =>
  service.api.send('DELETE', `/users/${uuid}${query}`, undefined, admin)

const phonesAtNode = () => node.voice?.node.engine.phones()

const ok = /^SIP\/2\.0 200/
const refused = /^SIP\/2\.0 40[17]/

test('D490: removing a user ends the phones of their extensions in every process, and gives these a new senha', async (t) => {
  const user = await addUser(service, admin)
  const { id, ramal } = await addExtension(user.email)
  const desk = await openPhone(t, ramal)
  expect(await desk.register()).toMatch(ok)
  const { body: link } = await service.api.post(`/extensions/${id}/setup-link`, {}, user)
  expect((await remove(user.uuid)).status).toBe(200)
  expect(await find(id)).toMatchObject({ registered: false, user_uuid: null })
  expect((await find(id)).senha).not.toBe(senha)
  await expect.poll(phonesAtNode).toBe(0)
  expect(await desk.register()).toMatch(refused)
  expect((await desk.dial('5548999990009')).response).toMatch(refused)
  const another = await openPhone(t, ramal, { password: (await find(id)).senha })
  expect(await another.register()).toMatch(ok)
  // It would hand out the new one.
  expect((await fetch(link.url, { headers: { accept: '*/*' } })).status).toBe(404)
  const { body: log } = await service.api.get('/accounts/audit?page=1', admin)
  expect(log.data.map(({ action }: { action: string }) => action)).toContain('user.removed')
  expect(log.data).toContainEqual(
    expect.objectContaining({ action: 'extension.updated', subject: ramal, details: { changed: ['senha'] } }),
  )
})

test('D490: with keepSenha=true the phones must register again, and may', async (t) => {
  const user = await addUser(service, admin)
  const { id, ramal } = await addExtension(user.email)
  const desk = await openPhone(t, ramal)
  expect(await desk.register()).toMatch(ok)
  expect((await remove(user.uuid, '?keepSenha=true')).status).toBe(200)
  expect(await find(id)).toMatchObject({ registered: false, senha })
  expect(await desk.register()).toMatch(ok)
})

test('D312: a credential ends with its user, at the next REGISTER and for the phone that registered with it', async (t) => {
  const [leaver, colleague] = [await addUser(service, admin, 'ADMIN'), await addUser(service, admin)]
  const { id, ramal } = await addExtension(colleague.email)
  const login = await issue(leaver, id)
  const phone = await openPhone(t, ramal, login)
  expect(await phone.register()).toMatch(ok)
  const before = phonesAtNode() ?? 0
  await remove(leaver.uuid)
  await expect.poll(phonesAtNode).toBe(before - 1)
  await expect.poll(async () => (await find(id)).registered).toBe(false)
  expect(await phone.register()).toMatch(refused)
  expect((await phone.dial('5548999990009')).response).toMatch(refused)
  // Nobody else lost anything.
  expect((await find(id)).senha).toBe(senha)
})

test("D312: a credential for a colleague's extension ends when its ADMIN becomes a USER", async (t) => {
  const [demoted, colleague] = [await addUser(service, admin, 'ADMIN'), await addUser(service, admin)]
  const { id, ramal } = await addExtension(colleague.email)
  const phone = await openPhone(t, ramal, await issue(demoted, id))
  expect(await phone.register()).toMatch(ok)
  const before = phonesAtNode() ?? 0
  expect((await service.api.patch('/users', { uuid: demoted.uuid, role: 'USER' }, admin)).status).toBe(200)
  await expect.poll(phonesAtNode).toBe(before - 1)
  expect(await phone.register()).toMatch(refused)
})

test('D312: a phone whose user signs out elsewhere stays registered', async (t) => {
  const user = await addUser(service, admin)
  const { id, ramal } = await addExtension(user.email)
  const phone = await openPhone(t, ramal, await issue(user, id))
  expect(await phone.register()).toMatch(ok)
  const other = await service.api.post('/users/login', { email: user.email, password: user.password })
  await service.api.post('/users/logout', undefined, { token: other.body.id })
  expect(await phone.register()).toMatch(ok)
})

test('D110: a registration does not outlive the credential it was made with', async (t) => {
  const user = await addUser(service, admin)
  const { id, ramal } = await addExtension(user.email)
  const phone = await openPhone(t, ramal, await issue(user, id))
  const granted = async () => Number(/expires=(\d+)/.exec(await phone.register())?.[1])
  service.clock.advance(700)
  expect(await granted()).toBe(200)
  service.clock.advance(190)
  expect(await granted()).toBe(10)
})

test('D143: a user whose e-mail is released loses their phones too', async (t) => {
  const user = await addUser(service, admin)
  const { id, ramal } = await addExtension(user.email)
  const desk = await openPhone(t, ramal)
  expect(await desk.register()).toMatch(ok)
  const stranger = await openAccount(service)
  const taken = { name: 'Rui', email: user.email, phone: '48999998888', role: 'USER' }
  expect((await service.api.post('/users', taken, stranger)).status).toBe(422)
  expect((await press(await mailedLink(service, user.email))).status).toBe(200)
  expect(await find(id)).toMatchObject({ registered: false, user_uuid: null })
  expect(await desk.register()).toMatch(refused)
})
