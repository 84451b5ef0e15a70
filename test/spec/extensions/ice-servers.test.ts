/** D291: GET /phones/ice-servers. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const secret = 'a-secret-of-the-turn-server'
const turn = ['turn:turn.example:3478?transport=udp', 'turns:turn.example:5349?transport=tcp']
let service: Service
beforeAll(async () => {
  service = await startService({
    TURN_URLS: ['stun:turn.example', ...turn].join(', '),
    TURN_SECRET: secret,
    TALK_SECONDS: '7200',
  })
})
afterAll(() => service.stop())

test('the servers come with a credential of the user that outlasts the longest call by an hour', async () => {
  const admin = await openAccount(service)
  const user = await addUser(service, admin)
  const { body: me } = await service.api.get('/users/me', user)
  const { status, body } = await service.api.get('/phones/ice-servers', user)
  const expiry = Math.floor(service.clock.now().getTime() / 1000) + 7200 + 3600
  const username = `${expiry}:${me.uuid}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  expect([status, body]).toEqual([
    200,
    { iceServers: [{ urls: ['stun:turn.example'] }, { urls: turn, username, credential }], ttl: 10_800 },
  ])
  expect((await service.api.get('/phones/ice-servers')).status).toBe(401)
})

test('a token that may not place calls is refused', async () => {
  const admin = await openAccount(service)
  const { body } = await service.api.post('/users/accessTokens', { ttl: 60, scopes: ['billing'] }, admin)
  const { status } = await service.api.get('/phones/ice-servers', { token: body.id })
  expect(status).toBe(403)
})

test('settings that cannot work are refused with one sentence', () => {
  expect(() => readConfig({ TURN_URLS: turn[0] })).toThrow(
    'TURN_URLS needs TURN_SECRET, the static-auth-secret of the TURN server.',
  )
  expect(() => readConfig({ TURN_URLS: 'https://turn.example' })).toThrow(
    /^TURN_URLS must be URLs such as turn:/,
  )
})

test('there are none without the setting', async () => {
  expect(readConfig({}).turn.urls).toEqual([])
})
