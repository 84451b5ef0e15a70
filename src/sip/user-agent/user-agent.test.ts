import { expect, test } from 'vitest'
import { firstValue } from '../message/message.ts'
import { buildResponse } from '../message/response.ts'
import { parseUri } from '../uri/parse.ts'
import type { RequestOptions } from './out-of-dialog-request.ts'
import { createScenes } from './testing/scenes.ts'
import { ana, bia, described, settle, tagIn } from './testing/test-agents.ts'
import { places } from './testing/wire.ts'

const { withScriptedPeer } = createScenes()

const asking = (more: Partial<RequestOptions> = {}): RequestOptions => ({
  method: 'OPTIONS',
  uri: parseUri('sip:beta.test'),
  target: { transport: 'udp', remote: places.far },
  from: ana,
  to: bia,
  ...more,
})

test('a request outside of dialogs is sent and answered', async () => {
  const { near, far } = withScriptedPeer()
  const asked = near.agent.request(
    asking({ headers: [['Accept', 'application/sdp']], body: Buffer.from('x') }),
  )
  await settle()
  const { request } = far.last('OPTIONS')
  expect(['CSeq', 'To', 'Accept', 'User-Agent'].map((name) => firstValue(request, name))).toEqual([
    '1 OPTIONS',
    '"Bia" <sip:2000@beta.test>',
    'application/sdp',
    'Ramal',
  ])
  expect([tagIn([request], 'From'), `${request.body}`]).toEqual([expect.stringMatching(/^\w{16}$/), 'x'])
  far.answer(far.last('OPTIONS'), 404)
  expect((await asked)?.status).toBe(404)
})

test('a registration keeps its Call-ID, counts on, and answers challenges', async () => {
  const { near, far } = withScriptedPeer()
  const login = { username: 'u', password: 'p' }
  const asked = near.agent.request(asking({ method: 'REGISTER', callId: 'reg', cseq: 7, login }))
  await settle()
  far.answer(far.last('REGISTER'), 401, {
    headers: [['WWW-Authenticate', 'Digest realm="r", nonce="n", qop="auth"']],
  })
  await settle()
  const { request } = far.last('REGISTER')
  expect([firstValue(request, 'Call-ID'), firstValue(request, 'CSeq')]).toEqual(['reg', '8 REGISTER'])
  expect(firstValue(request, 'Authorization')).toContain('uri="sip:beta.test"')
  far.answer(far.last('REGISTER'), 200)
  const answer = await asked
  expect([answer?.status, firstValue(answer ?? { headers: [] }, 'CSeq')]).toEqual([200, '8 REGISTER'])
})

test('a request outside of dialogs without a response resolves with undefined', async () => {
  const { near, wire, pass } = withScriptedPeer()
  wire.let(() => 'lose')
  const asked = near.agent.request(asking())
  await pass(32_100)
  expect(await asked).toBeUndefined()
})

test.each(['BYE', 'INFO', 'UPDATE', 'PRACK'])('%s outside of a dialog is answered 481', async (method) => {
  const { far } = withScriptedPeer()
  const bare = far.ask(method, { cseq: 1 })
  const tagged = far.ask(method, { cseq: 1, toTag: 'nobody' })
  await settle()
  expect([bare.status(), tagged.status()]).toEqual([481, 481])
  expect(tagIn(bare.answers)).not.toBe('')
})

test('a request of an unknown dialog is answered 481; an ACK is ignored', async () => {
  const { far, near, wire } = withScriptedPeer()
  const asked = ['INVITE', 'OPTIONS', 'NOTIFY'].map((method) => far.ask(method, { cseq: 1, toTag: 'nobody' }))
  await settle()
  expect(asked.map(({ status }) => status())).toEqual([481, 481, 481])
  const before = wire.sent.length
  far.acknowledge({ cseq: 1, toTag: 'nobody' })
  far.acknowledge({ cseq: 1 })
  await settle()
  expect([wire.sent.length - before, near.events]).toEqual([2, []])
})

test('every other request is passed on', async () => {
  const { far, near } = withScriptedPeer()
  const methods = ['REGISTER', 'OPTIONS', 'MESSAGE', 'SUBSCRIBE', 'NONSENSE']
  const unhandled = far.ask('OPTIONS', { cseq: 1 })
  await settle()
  near.agent.onRequest((incoming) =>
    incoming.respond(buildResponse(incoming.request, 202, { reason: incoming.request.method })),
  )
  const asked = methods.map((method) => far.ask(method, { cseq: 1 }))
  await settle()
  expect(unhandled.status()).toBe(503)
  expect(asked.map(({ answers }) => answers[0]?.reason)).toEqual(methods)
})

test('legs are live from their INVITE to their last response', async () => {
  const { far, near } = withScriptedPeer()
  near.call()
  far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  expect(near.agent.legs()).toBe(2)
  near.leg().refuse(486)
  expect(near.agent.legs()).toBe(1)
  far.answer(far.last('INVITE'), 486)
  await settle()
  expect(near.agent.legs()).toBe(0)
})
