/** An INVITE of ours that is challenged, refused, cancelled or never answered. */
import { expect, test } from 'vitest'
import { firstValue, values } from '../message/message.ts'
import { createScenes } from './testing/scenes.ts'
import { described, settle } from './testing/test-agents.ts'
import { brief } from './testing/wire.ts'

const { withScriptedPeer } = createScenes()

const challenge = (nonce: string, more = '') =>
  ['WWW-Authenticate', `Digest realm="r", nonce="${nonce}", qop="auth"${more}`] as const
const login = { username: 'u', password: 'p' }

test('a challenge is answered once, in a new transaction, and the ACK carries the credentials too', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call({ login })
  await settle()
  far.answer(far.last('INVITE'), 401, { headers: [challenge('a')] })
  await settle()
  const second = far.last('INVITE').request
  expect(firstValue(second, 'CSeq')).toBe('2 INVITE')
  expect(firstValue(second, 'Authorization')).toContain('nonce="a"')
  far.answer(far.last('INVITE'), 401, { headers: [challenge('b', ', stale=true')] })
  await settle()
  expect(values(far.last('INVITE').request, 'Authorization')).toHaveLength(1)
  far.answer(far.last('INVITE'), 200, described(20))
  await settle()
  const ack = far.last('ACK').request
  expect(firstValue(ack, 'CSeq')).toBe('3 ACK')
  expect(firstValue(ack, 'Authorization')).toContain('nonce="b"')
  leg.hangUp()
  await settle()
  expect(firstValue(far.last('BYE').request, 'CSeq')).toBe('4 BYE')
  far.answer(far.last('BYE'), 401, { headers: [challenge('c')] })
  await settle()
  expect(firstValue(far.last('BYE').request, 'Authorization')).toContain('nonce="c"')
  far.answer(far.last('BYE'), 200)
})

test.each([
  ['the same password again', login, 2],
  ['a password we do not have', undefined, 1],
])('a challenge with %s is a refusal', async (_, known, invites) => {
  const { near, far } = withScriptedPeer()
  near.call(known ? { login: known } : {})
  for (let round = 0; round < 3; round++) {
    await settle()
    far.answer(far.last('INVITE'), 407, {
      headers: [['Proxy-Authenticate', 'Digest realm="r", nonce="n"']],
    })
  }
  await settle()
  expect(far.received).toHaveLength(invites)
  expect(near.events).toEqual(['failed refused 407'])
})

test('nonces that are stale without end are not followed without end', async () => {
  const { near, far } = withScriptedPeer()
  near.call({ login })
  for (let round = 0; round < 10; round++) {
    await settle()
    far.answer(far.last('INVITE'), 401, { headers: [challenge(`n${round}`, ', stale=true')] })
  }
  await settle()
  expect(far.received).toHaveLength(5)
  expect(near.events).toEqual(['failed refused 401'])
})

test('after 422 the INVITE is sent once more with the required interval', async () => {
  const { near, far } = withScriptedPeer({ sessionSeconds: 600 })
  near.call()
  await settle()
  far.answer(far.last('INVITE'), 422, { headers: [['Min-SE', '900']] })
  await settle()
  const { request } = far.last('INVITE')
  expect(['CSeq', 'Session-Expires', 'Min-SE'].map((name) => firstValue(request, name))).toEqual([
    '2 INVITE',
    '900',
    '900',
  ])
  far.answer(far.last('INVITE'), 422, { headers: [['Min-SE', '1000']] })
  await settle()
  expect(near.events).toEqual(['failed refused 422'])
})

test.each([
  [302, [], 'failed refused 302'],
  [486, [], 'failed refused 486'],
  [480, [['Reason', 'Q.850;cause=31']], 'failed refused 480 31'],
] as const)('a %i is reported with its status', async (status, headers, expected) => {
  const { near, far } = withScriptedPeer()
  near.call()
  await settle()
  far.answer(far.last('INVITE'), status, { headers })
  await settle()
  expect(near.events).toEqual([expected])
})

test('an INVITE without a response fails by timeout', async () => {
  const { near, wire, pass } = withScriptedPeer()
  wire.let(() => 'lose')
  near.call()
  await pass(32_000)
  expect(near.events).toEqual(['failed timeout'])
})

test('a call cancelled while it rings ends as cancelled, with its Reason in the CANCEL', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const invite = far.last('INVITE')
  invite.onCancel(() => far.answer(invite, 487))
  far.answer(invite, 180)
  await settle()
  leg.cancel([['Reason', 'Q.850;cause=16']])
  leg.cancel()
  expect(near.events).toEqual(['progress 180 none'])
  await settle()
  const cancels = wire.sent.filter(({ message }) => brief(message) === 'CANCEL')
  expect(cancels.map(({ message }) => firstValue(message, 'Reason'))).toEqual(['Q.850;cause=16'])
  expect(near.events).toEqual(['progress 180 none', 'failed cancelled 487'])
})

test('a challenge that crosses the CANCEL is not answered', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call({ login })
  await settle()
  far.answer(far.last('INVITE'), 401, { headers: [challenge('a')] })
  leg.cancel()
  await settle()
  expect(far.methods()).toEqual(['INVITE'])
  expect(near.events).toEqual(['failed cancelled 401'])
})

test('an answer that crosses the CANCEL is acknowledged and ended, and the call was cancelled', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  far.answer(far.last('INVITE'), 180)
  await settle()
  far.answer(far.last('INVITE'), 200, described(20))
  leg.cancel([['Reason', 'Q.850;cause=16']])
  await settle()
  expect(wire.sentBy('near')).toEqual(['INVITE', 'CANCEL', 'ACK', 'BYE'])
  expect(firstValue(far.last('BYE').request, 'Reason')).toBe('Q.850;cause=16')
  expect(near.events).toEqual(['progress 180 none', 'failed cancelled'])
})

test('an INVITE without a response to it or to its CANCEL fails by timeout', async () => {
  const { near, far, pass } = withScriptedPeer()
  const leg = near.call()
  await settle()
  far.answer(far.last('INVITE'), 180)
  await pass(90_000)
  leg.hangUp()
  await pass(32_000)
  expect(near.events).toEqual(['progress 180 none', 'failed cancelled'])
})
