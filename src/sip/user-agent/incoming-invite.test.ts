import { expect, test } from 'vitest'
import { firstValue } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import { createScenes } from './testing/scenes.ts'
import { described, sdp, settle, tagIn } from './testing/test-agents.ts'

const { withScriptedPeer } = createScenes()

test('a call rings, is answered with our description, and is acknowledged', async () => {
  const { near, far, pass, wire } = withScriptedPeer()
  const invite = far.ask('INVITE', {
    cseq: 1,
    ...described(20),
    headers: [...described(20).headers, ['Record-Route', '<sip:proxy.test;lr>']],
  })
  await settle()
  near.leg().progress(180)
  near.leg().progress(183, sdp(30))
  near.leg().accept(sdp(31))
  await settle()
  const [ringing, early, answer] = invite.answers
  expect([ringing?.status, early?.status, answer?.status]).toEqual([180, 183, 200])
  expect([`${early?.body}`, `${answer?.body}`]).toEqual([described(30).body, described(31).body])
  for (const response of invite.answers) {
    expect(tagIn([response])).toHaveLength(16)
    expect(firstValue(response, 'Contact')).toBe('<sip:near@192.0.2.1:5060>')
    expect(firstValue(response, 'Record-Route')).toBe('<sip:proxy.test;lr>')
  }
  expect([
    firstValue(answer ?? { headers: [] }, 'Supported'),
    firstValue(answer ?? { headers: [] }, 'Server'),
  ]).toEqual(['timer', 'Ramal'])
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers) })
  await pass(40_000)
  expect(wire.sentBy('near')).toEqual(['180 INVITE', '183 INVITE', '200 INVITE'])
  expect(near.events).toEqual(['invited 20'])
  near.leg().hangUp()
  await settle()
  expect(firstValue(far.last('BYE').request, 'Route')).toBe('<sip:proxy.test;lr>')
  far.answer(far.last('BYE'), 200)
})

test('a provisional response is repeated every minute', async () => {
  const { near, far, pass } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().progress(180)
  await pass(125_000)
  expect(invite.answers.map(({ status }) => status)).toEqual([180, 180, 180])
  near.leg().refuse(480)
})

test('a call without an offer is given ours, and its answer comes with the ACK', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1 })
  await settle()
  near.leg().accept(sdp(30))
  await settle()
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers), ...described(20) })
  await settle()
  expect(near.events).toEqual(['invited none', 'settled 20'])
  near.leg().hangUp()
})

test('an ACK without the answer we wait for ends the call', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1 })
  await settle()
  near.leg().accept(sdp(30))
  await settle()
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers) })
  await settle()
  expect(near.events).toEqual(['invited none', 'ended never acknowledged'])
  expect(far.methods()).toEqual(['BYE'])
})

test('a 2xx is retransmitted, ever slower, until the ACK arrives', async () => {
  const { near, far, pass, wire, timers } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  const times: number[] = []
  const start = timers.now()
  wire.let(() => {
    times.push(timers.now() - start)
    return 'pass'
  })
  await pass(12_000)
  expect(times).toEqual([500, 1500, 3500, 7500, 11_500])
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers) })
  await pass(30_000)
  expect(invite.answers).toHaveLength(6)
  near.leg().hangUp()
})

test('an answer that is never acknowledged ends the call with BYE', async () => {
  const { near, far, pass } = withScriptedPeer()
  far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  await pass(31_900)
  expect(far.methods()).toEqual([])
  await pass(100)
  expect(far.methods()).toEqual(['BYE'])
  expect(near.events).toEqual(['invited 20', 'ended never acknowledged'])
})

test('hanging up at once waits for the ACK before the BYE', async () => {
  const { near, far, pass } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  near.leg().hangUp()
  await pass(1_000)
  expect([far.methods(), invite.answers.length]).toEqual([[], 2])
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers) })
  await settle()
  expect(far.methods()).toEqual(['BYE'])
  expect(near.events).toEqual(['invited 20'])
})

test('hanging up without an ACK sends BYE after the timeout, unless the peer sent one', async () => {
  const { near, far, pass } = withScriptedPeer()
  far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  near.leg().hangUp()
  await pass(32_000)
  expect(far.methods()).toEqual(['BYE'])
  far.answer(far.last('BYE'), 200)

  const invite = far.ask('INVITE', { callId: 'c2', cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  near.leg().hangUp()
  await settle()
  const bye = far.ask('BYE', { callId: 'c2', cseq: 2, toTag: tagIn(invite.answers) })
  await pass(40_000)
  expect([bye.status(), far.methods()]).toEqual([200, ['BYE']])
})

test('a cancelled call is reported once, and nothing else', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().progress(180)
  await settle()
  invite.cancel([['Reason', 'Q.850;cause=16']])
  await settle()
  near.leg().accept(sdp(30))
  near.leg().refuse(486)
  near.leg().progress(180)
  await settle()
  expect(invite.answers.map(({ status }) => status)).toEqual([180, 487])
  expect(near.events).toEqual(['invited 20', 'cancelled 16'])
})

test('a CANCEL that came too late changes nothing', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  invite.cancel()
  await settle()
  far.acknowledge({ cseq: 1, toTag: tagIn(invite.answers) })
  await settle()
  expect(near.events).toEqual(['invited 20'])
  near.leg().hangUp()
})

test('a BYE while the call rings cancels it', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().progress(180)
  await settle()
  const toTag = tagIn(invite.answers)
  const stray = far.ask('BYE', { cseq: 2, toTag, fromTag: 'another' })
  const update = far.ask('UPDATE', { cseq: 2, toTag })
  const old = far.ask('INFO', { cseq: 1, toTag })
  const bye = far.ask('BYE', { cseq: 3, toTag })
  await settle()
  expect([stray, update, old, bye].map(({ status }) => status())).toEqual([481, 200, 500, 200])
  expect(invite.status()).toBe(487)
  expect(near.events).toEqual(['invited 20', 'cancelled'])
})

test('a refusal has the given headers; hanging up before the answer refuses', async () => {
  const { near, far } = withScriptedPeer()
  const first = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().refuse(401, [['WWW-Authenticate', 'Digest realm="r"']])
  const second = far.ask('INVITE', { cseq: 2, ...described(20) })
  await settle()
  near.leg().hangUp()
  await settle()
  expect([first.status(), second.status()]).toEqual([401, 480])
  expect(firstValue(first.answers[0] ?? { headers: [] }, 'WWW-Authenticate')).toBe('Digest realm="r"')
  expect(near.events).toEqual(['invited 20', 'invited 20'])
})

const sdpType = ['Content-Type', 'application/sdp'] as const

test.each([
  ['without hops left', [['Max-Forwards', '0']], '', 483],
  ['with an extension we do not have', [['Require', 'timer, 100rel, x, y']], '', 420, 'Unsupported', 'x, y'],
  ['without a Contact', [['Contact', '<tel:+1>']], '', 400],
  [
    'described in another format',
    [['Content-Type', 'text/plain']],
    'hello',
    415,
    'Accept',
    'application/sdp, multipart/mixed',
  ],
  ['with a body of no kind', [], 'hello', 415],
  ['that is packed', [sdpType, ['Content-Encoding', 'gzip']], 'x', 415, 'Accept-Encoding', 'identity'],
  ['with a broken description', [sdpType], 'v=0\r\nm=audio', 400],
  [
    'with too short a session',
    [
      ['Session-Expires', '60'],
      ['Supported', 'timer'],
    ],
    '',
    422,
    'Min-SE',
    '90',
  ],
] as [string, HeaderPairs, string, number, string?, string?][])(
  'an INVITE %s is refused',
  async (_, headers, body, status, name = 'Server', value = 'Ramal') => {
    const { near, far } = withScriptedPeer()
    const invite = far.ask('INVITE', { cseq: 1, headers, body })
    await settle()
    expect(invite.status()).toBe(status)
    expect(firstValue(invite.answers[0] ?? { headers: [] }, name)).toBe(value)
    expect(tagIn(invite.answers)).not.toBe('')
    expect(near.events).toEqual([])
  },
)

test('an optional body is ignored, and so is Replaces', async () => {
  const { near, far } = withScriptedPeer()
  const invite = far.ask('INVITE', {
    cseq: 1,
    headers: [
      ['Content-Type', 'text/plain'],
      ['Content-Disposition', 'render;handling=optional'],
      ['Replaces', 'x;to-tag=1;from-tag=2'],
    ],
    body: 'hello',
  })
  await settle()
  expect(near.events).toEqual(['invited none'])
  near.leg().refuse(486)
  await settle()
  expect(invite.status()).toBe(486)
})

test('a merged request (the same INVITE by another path) is refused while the first is live', async () => {
  const { near, far } = withScriptedPeer()
  far.ask('INVITE', { cseq: 1, ...described(20) })
  const merged = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  expect(merged.status()).toBe(482)
  near.leg().refuse(486)
  far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  expect(near.events).toEqual(['invited 20', 'invited 20'])
  near.leg().refuse(486)
})

test('a call whose handler throws is refused and logged', async () => {
  const { near, far } = withScriptedPeer()
  near.behaviour.onIncoming = () => {
    throw new Error('no')
  }
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  expect([invite.status(), near.events]).toEqual([500, ['invited 20', 'error']])
})

test('a browser whose connection closes while it calls has cancelled', async () => {
  const { near, far, wire } = withScriptedPeer({ transport: 'ws' })
  far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  wire.close()
  expect(near.events).toEqual(['invited 20', 'cancelled'])
})
