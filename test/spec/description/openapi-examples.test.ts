/**
 * The examples of the OpenAPI description (D167, D539), sent to the service as they are, operation by operation: a client that
 * copies them succeeds. The client of the tests compares every answer with the description.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { startReceiver } from '../../helpers/programs/receiver.ts'
import { appCode } from '../../helpers/service/authenticator.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { mailedLink } from '../../helpers/service/people.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import type { Service } from '../../helpers/service/service.ts'
import { startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'
import { requestedLinksSent } from '../../helpers/stored/people-rows.ts'
import { createExampleDriver } from './example-driver.ts'

const trunk = { name: 'main', address: 'sip:127.0.0.1:9', qualifySeconds: 0, callerId: '551130001000' }
const ownPage = { 'sec-fetch-site': 'same-origin' }

let service: VoiceService
let description: ApiDocument
let driver: ReturnType<typeof createExampleDriver>
let token = ''
let domain = ''

beforeAll(async () => {
  const settings = { TRUNKS: JSON.stringify([trunk]), WEBHOOK_ALLOW_PRIVATE: 'true' }
  // The day of the examples: a charge is due within a week of it.
  service = await startVoiceService(settings, '2026-11-15T12:00:00Z')
  service.engine.behave(() => ['rings', 'picksUp'])
  // The engine of the tests listens nowhere.
  service.engine.addresses = () => ({ SIP: '192.0.2.10:5060' })
  description = (await service.api.get('/openapi.json')).body
  driver = createExampleDriver(service.api, description)
})
afterAll(() => service.stop())

const tokenMailedTo = async (email: string) => {
  const link = await mailedLink(service as unknown as Service, email)
  return new URL(link).searchParams.get('token') ?? ''
}

test('an account: signed up, confirmed, logged in, changed', async () => {
  const { ask, bodyOf } = driver
  const signup = bodyOf('POST /accounts/signup')
  domain = signup.domain
  await ask('POST /accounts/signup')
  const query = { token: await tokenMailedTo(signup.email) }
  await ask('GET /accounts/confirm', { query })
  await ask('POST /accounts/confirm', { query })
  token = (await ask('POST /users/login')).id
  driver.useToken(token)
  await ask('GET /users/me')
  await ask('GET /accounts')
  await ask('PATCH /accounts')
  await ask('GET /accounts/settings')
  await ask('GET /accounts/limits')
  await ask('GET /openapi.json')
  await ask('GET /status')
})

test('its users: added, invited, removed, with passwords that change', async () => {
  const { ask, bodyOf } = driver
  const made = await ask('POST /users')
  await ask('GET /users/{uuid}', { ids: made })
  const { password: _none, ...person } = bodyOf('POST /users')
  const invitation = { ...person, email: 'bia@example.com' }
  const { body: invited } = await service.api.post('/users', invitation, { token })
  await ask('POST /users/invitations', { body: { uuid: invited.uuid } })
  await ask('DELETE /users/{uuid}', { ids: invited })
  await ask('POST /users/reset')
  await requestedLinksSent(service.db)
  const mailed = await tokenMailedTo(made.email)
  await ask('GET /users/set-password', { query: { token: mailed } })
  await ask('POST /users/set-password', { body: { token: mailed } })
  await ask('POST /users/resend-confirmation')
  await ask('PATCH /users')
  await ask('GET /users')
})

test('its second factor, and access tokens', async () => {
  const { ask } = driver
  await ask('GET /users/me/second-factor')
  const { secret } = await ask('POST /users/me/second-factor')
  const code = () => {
    service.clock.advance(30)
    return appCode(secret, service.clock.now())
  }
  await ask('POST /users/me/second-factor/enable', { body: { code: code() } })
  await ask('POST /users/me/second-factor/recovery-codes', { body: { code: code() } })
  await ask('POST /users/me/second-factor/disable', { body: { code: code() } })
  const { id: other } = await ask('POST /users/accessTokens')
  await ask('HEAD /users/accessTokens', { token: other })
  await ask('POST /users/logout', { token: other })
  const { id: kept } = await ask('POST /users/accessTokens')
  const listed: { ref: string; name: string }[] = await ask('GET /users/accessTokens')
  await ask('DELETE /users/accessTokens/{ref}', { ids: listed.find(({ name }) => name !== '') ?? {} })
  expect((await service.api.head('/users/accessTokens', { token: kept })).status).toBe(404)
})

test('its extensions, and what phones are set up with', async () => {
  const { ask } = driver
  const extension = await ask('POST /extensions')
  const ids = { id: extension.id }
  const next = await ask('POST /extensions/next-available')
  await ask('PATCH /extensions', { body: { id: extension.id } })
  await ask('GET /extensions')
  await ask('GET /extensions/updated')
  await ask('GET /extensions/presence')
  await ask('GET /extensions/{id}', { ids })
  await ask('DELETE /extensions/{id}', { ids: next })
  await ask('POST /extensions/{id}/phone-credential', { ids })
  await ask('PUT /extensions/{id}/do-not-disturb', { ids, body: { do_not_disturb: false } })
  await ask('GET /extensions/{id}/setup', { ids })
  const { url } = await ask('POST /extensions/{id}/setup-link', { ids })
  const setup = { ids: { token: url.split('/').at(-1) } }
  await ask('HEAD /phone-setup/{token}', setup)
  await ask('GET /phone-setup/{token}', setup)
  await ask('GET /phones/ice-servers')
})

test('calls: placed, answered, transferred, hung up, listed', async () => {
  const { ask } = driver
  await service.engine.register({ domain, number: '1000' })
  const placed = await ask('POST /calls')
  const status = async () => (await ask('GET /calls/{id}', { ids: placed })).status
  service.engine.answer(placed.id)
  await expect.poll(status).toBe('answered')
  await ask('POST /calls/{id}/dtmf', { ids: placed })
  const { transferId } = await ask('POST /calls/{id}/transfer', {
    ids: placed,
    body: { to: '5548999997777' },
  })
  await ask('POST /calls/hangup', { body: { id: transferId } })
  await ask('POST /calls/{id}/hangup', { ids: placed })
  await ask('POST /calls/{id}/hangup', { ids: await ask('POST /dialer') })
  await expect.poll(status).toBe('completed')
  await ask('GET /calls')
  await ask('GET /calls/{id}/events', { ids: placed })
  const month = { from: '2026-11-01T00:00:00-03:00', to: '2026-12-01T00:00:00-03:00' }
  await ask('GET /calls/stats', { query: month })
  await ask('GET /calls/outcomes')
  await ask('PUT /calls/outcomes')
  await ask('PATCH /calls/{id}', { ids: placed })
  await ask('GET /calls/{id}/changes', { ids: placed })
  await ask('GET /calls/updated')
  const number = '5548999998888'
  const missed = { call_type: 'inbound', from_number: number, to_number: '1000' } as const
  await insertCalls(service.db, await accountIdOf(service.db, domain), [missed])
  await ask('GET /calls/missed')
  await ask('PATCH /calls/missed')
  await ask('GET /events')
  await ask('GET /events/log')
  await ask('GET /events/types')
})

test('contacts', async () => {
  const { ask } = driver
  const contact = await ask('POST /contacts')
  await ask('GET /contacts')
  await ask('GET /contacts/{id}', { ids: contact })
  await ask('PATCH /contacts/{id}', { ids: contact })
  expect(await ask('POST /contacts/import')).toMatchObject({ preview: true, same: 1 })
  await ask('DELETE /contacts/{id}', { ids: contact })
  await ask('POST /contacts')
})

test('recordings', async () => {
  const { ask, send, mark } = driver
  const sound = Buffer.concat([wavHeader(8_000), Buffer.alloc(32_000)])
  const [id = ''] = await insertCalls(service.db, await accountIdOf(service.db, domain), [
    { recording: 'spooled' },
  ])
  await storeRecording(service, id, sound, 1)
  const ids = { id }
  const whole = await send('GET /calls/{id}/recording', { ids })
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  expect((await send('GET /calls/{id}/recording', { ids, headers: { range: 'bytes=0-9' } })).status).toBe(206)
  await ask('HEAD /calls/{id}/recording', { ids })
  // Without ffmpeg MP3 is refused: recording-copies.test.ts.
  const isMp3Made = !programMissing('ffmpeg')
  for (const method of ['GET', 'HEAD']) {
    for (const suffix of ['wav', 'ogg']) await send(`${method} /calls/{id}/recording.${suffix}`, { ids })
    const mp3 = `${method} /calls/{id}/recording.mp3`
    if (isMp3Made) await send(mp3, { ids })
    else mark(mp3)
  }
  await ask('GET /calls/{id}/recording/peaks', { ids })
  await ask('POST /calls/{id}/recording/revoke', { ids })
  await ask('DELETE /calls/{id}/recording', { ids })
})

test('charges, credit and the financial account', async () => {
  const { ask } = driver
  await ask('GET /accounts/financial')
  await ask('POST /accounts/financial')
  await ask('PUT /accounts/financial')
  const charge = await ask('POST /charges')
  await ask('GET /charges/updated')
  await ask('GET /charges')
  await ask('GET /charges/{id}', { ids: charge })
  await ask('GET /charges/{id}/qrcode', { ids: charge })
  await ask('PATCH /charges/{id}/cancel', { ids: charge })
  await ask('GET /credits/balance')
  await ask('GET /credits/statement')
  await ask('GET /rates', { query: { to: '5548999998888' } })
})

test('integrations and their deliveries', async () => {
  const { ask } = driver
  const receiver = await startReceiver()
  try {
    const { id } = await ask('PATCH /integrations')
    await ask('GET /integrations')
    const body = { id, metadata: { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] } }
    await ask('PATCH /integrations', { body })
    await ask('GET /integrations/{id}', { ids: { id } })
    await ask('POST /integrations/{id}/rotate-secret', { ids: { id } })
    const { id: deliveryId } = await ask('POST /integrations/{id}/test', { ids: { id } })
    const ids = { id, deliveryId }
    const one = 'GET /integrations/{id}/deliveries/{deliveryId}'
    await expect.poll(async () => (await ask(one, { ids })).status).toBe('delivered')
    await ask('POST /integrations/{id}/deliveries/{deliveryId}/redeliver', { ids })
    await ask('GET /integrations/{id}/deliveries', { ids })
    await ask('GET /integrations/{id}/deliveries/stats', { ids })
    await ask('POST /integrations/{id}/recover', { ids })
    await ask('POST /integrations/{id}/replay', { ids })
    await ask('DELETE /integrations/{id}', { ids })
  } finally {
    await receiver.stop()
  }
})

test('numbers: claimed, verified by a call, presented, given up', async () => {
  const { ask } = driver
  const claimed = await ask('POST /numbers')
  await ask('GET /numbers')
  const { code } = await ask('POST /numbers/{id}/verify', { ids: claimed })
  const [call] = service.engine.codeCalls.requests()
  service.engine.codeCalls.answer(call?.callId ?? '')
  service.engine.codeCalls.press(call?.callId ?? '', code)
  await expect.poll(async () => (await ask('GET /numbers/{id}', { ids: claimed })).verified).toBe(true)
  await ask('PATCH /accounts/settings')
  // A number that is presented cannot be given up.
  await ask('PATCH /accounts/settings', { body: { bina: null } })
  const [{ id }] = await ask('GET /extensions')
  await ask('PATCH /extensions', { body: { id, bina: null } })
  await ask('DELETE /numbers/{id}', { ids: claimed })
})

test('the session of the console, and the stream of what happens', async () => {
  const { ask, send, mark } = driver
  const { headers } = await send('POST /console/session', { headers: ownPage })
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const session = { headers: { ...ownPage, cookie }, token: null }
  await ask('GET /console/session', session)
  await ask('DELETE /console/session', session)
  await ask('HEAD /live')
  const stream = new AbortController()
  const { signal } = stream
  const live = await fetch(`${service.url}/api/v1/live`, { headers: { authorization: token }, signal })
  expect(Object.keys(description.paths['/live']?.get?.responses[200]?.content ?? {})).toContain(
    live.headers.get('content-type')?.split(';')[0],
  )
  mark('GET /live')
  stream.abort()
  await ask('GET /accounts/audit')
  await service.tick('request log')
  await ask('GET /requests')
  await ask('POST /users/change-password')
  await ask('DELETE /users/accessTokens')
})

test('every operation of the description was sent, and answered with a success', () => {
  expect(driver.missing()).toEqual([])
})

test('every list without a path parameter takes the example of its filter', async () => {
  token = (await driver.ask('POST /users/login', { body: { password: 'a better horse battery' } })).id
  const lists = Object.entries(description.paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? []
    return path.includes('{') || !parameters.some(({ name }) => name === 'filter')
      ? []
      : [{ path, parameters }]
  })
  expect(lists.length).toBeGreaterThan(6)
  for (const { path, parameters } of lists) {
    const query = new URLSearchParams()
    for (const { name, example } of parameters) if (example !== undefined) query.set(name, String(example))
    const { status, body } = await service.api.get(`${path}?${query}`, { token })
    expect([path, status, body.error]).toEqual([path, 200, undefined])
  }
})

test('a list as CSV has the columns of its example, and as lines of JSON the fields', async () => {
  const examples = Object.entries(description.paths).flatMap(([path, { get }]) => {
    const content = get?.responses[200]?.content ?? {}
    const [csv, lines] = ['text/csv', 'application/x-ndjson'].map((media) => content[media]?.example)
    return path.includes('{') || csv === undefined ? [] : [{ path, csv: String(csv), lines: String(lines) }]
  })
  expect(examples.length).toBeGreaterThan(3)
  for (const { path, csv, lines } of examples) {
    const read = async (format: string) =>
      String((await service.api.get(`${path}?format=${format}`, { token })).body).split(/\r?\n/)
    const [titles] = await read('csv')
    const [line = ''] = await read('ndjson')
    expect([path, titles]).toEqual([path, csv.split('\r\n')[0]])
    expect(Object.keys(JSON.parse(line)), path).toEqual(
      expect.arrayContaining(Object.keys(JSON.parse(lines))),
    )
  }
})

test('records in a list are as described', async () => {
  const paged = ['/calls', '/charges', '/accounts/audit', '/requests', '/credits/statement'].map(
    (path) => `${path}?page=1`,
  )
  for (const path of [...paged, '/users', '/extensions']) {
    const { body } = await service.api.get(path, { token })
    expect((body.data ?? body).length, path).toBeGreaterThan(0)
  }
})
