/** An INVITE of ours until it is answered, and the dialogs that its responses open. */
import { expect, test } from 'vitest'
import { firstValue } from '../message/message.ts'
import { buildResponse } from '../message/response.ts'
import { createScenes } from './testing/scenes.ts'
import { described, sdp, settle, tagIn } from './testing/test-agents.ts'
import { brief } from './testing/wire.ts'

const { withScriptedPeer } = createScenes()

test('an INVITE has From, Contact, Allow, Session-Expires and the offer', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call({ headers: [['X-Call-Id', '7']] })
  await settle()
  const { request } = far.last('INVITE')
  const read = (name: string) => firstValue(request, name)
  expect(read('From')).toMatch(/^"Ana" <sip:1000@alfa.test>;tag=\w{16}$/)
  expect(read('To')).toBe('"Bia" <sip:2000@beta.test>')
  expect(read('Contact')).toBe('<sip:near@192.0.2.1:5060>')
  expect([read('Call-ID'), read('CSeq'), read('X-Call-Id')]).toEqual([leg.callId, '1 INVITE', '7'])
  expect([read('Supported'), read('Session-Expires'), read('Min-SE')]).toEqual(['timer', '1800', '90'])
  expect([read('Allow'), read('User-Agent'), read('Max-Forwards')]).toEqual([
    'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER',
    'Ramal',
    '70',
  ])
  expect([read('Content-Type'), `${request.body}`]).toEqual(['application/sdp', described(10).body])
  far.answer(far.last('INVITE'), 486)
})

test('ringing, early media and the answer are reported, repetitions are not', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const invite = far.last('INVITE')
  for (const [status, port] of [[180], [180], [183, 20], [183, 20], [183, 21], [180]] as const) {
    far.answer(invite, status, port === undefined ? {} : described(port))
  }
  far.answer(invite, 200, described(21))
  await settle()
  expect(near.events).toEqual([
    'progress 180 none',
    'progress 183 20',
    'progress 183 21',
    'progress 180 none',
    'answered 21',
  ])
  expect(leg.remote.params.get('tag')).toBe('far')
  leg.hangUp([['Reason', 'Q.850;cause=16']])
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'BYE'])
  expect(firstValue(far.last('BYE').request, 'Reason')).toBe('Q.850;cause=16')
  expect(firstValue(far.last('BYE').request, 'CSeq')).toBe('2 BYE')
  expect(near.agent.legs()).toBe(1)
  far.answer(far.last('BYE'), 200)
  await settle()
  expect(near.events.at(-1)).toBe('answered 21')
})

test.each([[[100, 180, 200]], [[200]], [[183, 486]]])(
  'the first response is reported, once: %j',
  async (statuses) => {
    const { near, far } = withScriptedPeer()
    const leg = near.call()
    await settle()
    for (const status of statuses) {
      far.answer(far.last('INVITE'), status, status === 200 ? described(20) : {})
      await settle()
      expect(near.firstResponses()).toBe(1)
    }
    leg.hangUp()
    await settle()
    if (far.methods().includes('BYE')) far.answer(far.last('BYE'), 200)
  },
)

test('an answer without a description is that of the early media', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call()
  await settle()
  far.answer(far.last('INVITE'), 183, described(20))
  far.answer(far.last('INVITE'), 200)
  await settle()
  expect(near.events.at(-1)).toBe('answered 20')
  leg.hangUp()
})

test.each([
  ['no description', {}],
  ['one that cannot be read', { headers: [['Content-Type', 'application/sdp']] as const, body: 'v=1' }],
  ['one of another kind', { headers: [['Content-Type', 'text/plain']] as const, body: 'hello' }],
])('an answer with %s is acknowledged, ended and reported as a failure', async (_, answer) => {
  const { near, far } = withScriptedPeer()
  near.call()
  await settle()
  far.answer(far.last('INVITE'), 200, answer)
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'BYE'])
  expect(near.events).toEqual(['failed refused 488'])
})

test('every repetition of a 2xx is acknowledged again, with the same ACK', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const invite = far.last('INVITE')
  far.answer(invite, 200, described(20))
  await settle()
  invite.repeat()
  await settle()
  leg.hangUp()
  invite.repeat()
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'ACK', 'BYE', 'ACK'])
  const acks = wire.sent.filter(({ message }) => brief(message) === 'ACK')
  expect(new Set(acks.map(({ message }) => firstValue(message, 'CSeq')))).toEqual(new Set(['1 ACK']))
  expect(near.events).toEqual(['answered 20'])
})

test('of several forks the first 2xx wins; the others are acknowledged and ended', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const invite = far.last('INVITE')
  far.answer(invite, 180, { toTag: 'one' })
  far.answer(invite, 183, { toTag: 'two', ...described(22) })
  far.answer(invite, 200, { toTag: 'two', ...described(22) })
  const late = () =>
    wire.inject('far', buildResponse(invite.request, 200, { toTag: 'three', ...described(23) }))
  late()
  await settle()
  expect(near.events).toEqual(['progress 180 none', 'progress 183 22', 'answered 22'])
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'ACK', 'BYE'])
  expect(firstValue(far.last('BYE').request, 'To')).toContain('tag=three')
  far.answer(far.last('BYE'), 200)
  late()
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'ACK', 'BYE', 'ACK'])
  leg.hangUp()
  await settle()
  expect(firstValue(far.last('BYE').request, 'To')).toContain('tag=two')
})

test('after the end a retransmitted 2xx is still acknowledged, and the 2xx of a late fork is ended', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const { request } = far.last('INVITE')
  const accept = (toTag: string) =>
    wire.inject('far', buildResponse(request, 200, { toTag, ...described(20) }))
  accept('first')
  await settle()
  leg.hangUp()
  await settle()
  far.answer(far.last('BYE'), 200)
  await settle()
  expect(near.agent.legs()).toBe(0)
  accept('first')
  accept('late')
  accept('late')
  await settle()
  expect(wire.sentBy('near')).toEqual(['INVITE', 'ACK', 'BYE', 'ACK', 'ACK', 'BYE', 'ACK'])
  expect(near.events).toEqual(['answered 20'])
})

test('forks without end are not kept without end', async () => {
  const { near, far, wire } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const { request } = far.last('INVITE')
  for (let fork = 0; fork < 100; fork++) {
    wire.inject('far', buildResponse(request, 200, { toTag: `t${fork}`, ...described(20) }))
  }
  await settle()
  expect(far.methods().filter((method) => method === 'ACK')).toHaveLength(16)
  leg.hangUp()
})

test('unrequested reliable provisional responses get one PRACK each, in order', async () => {
  const { near, far } = withScriptedPeer()
  const leg = near.call()
  await settle()
  const invite = far.last('INVITE')
  const reliable = (rseq: number, port: number) => ({
    ...described(port),
    headers: [...described(port).headers, ['Require', '100rel'], ['RSeq', String(rseq)]] as const,
  })
  for (const [rseq, port] of [
    [7, 20],
    [7, 20],
    [9, 22],
    [8, 21],
  ] as const) {
    far.answer(invite, 183, reliable(rseq, port))
  }
  await settle()
  const pracks = far.received.filter(({ request }) => request.method === 'PRACK')
  expect(pracks.map(({ request }) => firstValue(request, 'RAck'))).toEqual(['7 1 INVITE', '8 1 INVITE'])
  expect(pracks.map(({ request }) => firstValue(request, 'CSeq'))).toEqual(['2 PRACK', '3 PRACK'])
  expect(near.events).toEqual(['progress 183 20', 'progress 183 21'])
  for (const prack of pracks) far.answer(prack, 200)
  far.answer(invite, 200)
  await settle()
  leg.hangUp()
  await settle()
  expect(firstValue(far.last('BYE').request, 'CSeq')).toBe('4 BYE')
})

test('a BYE that overtakes the answer ends the call once the answer is there', async () => {
  const { near, far } = withScriptedPeer()
  near.call()
  await settle()
  const invite = far.last('INVITE')
  const toTag = tagIn([invite.request], 'From')
  const callId = firstValue(invite.request, 'Call-ID') ?? ''
  const bye = far.ask('BYE', { toTag, callId, cseq: 1, headers: [['Reason', 'Q.850;cause=16']] })
  await settle()
  expect(bye.status()).toBe(200)
  far.answer(invite, 200, described(20))
  await settle()
  expect(near.events).toEqual(['answered 20', 'ended bye 16'])
  expect(far.methods()).toEqual(['INVITE', 'ACK'])
})

test('in an early dialog UPDATE may refresh but not offer, INFO is passed on, REFER is declined', async () => {
  const { near, far } = withScriptedPeer()
  near.call()
  await settle()
  const invite = far.last('INVITE')
  far.answer(invite, 180)
  const toTag = tagIn([invite.request], 'From')
  const callId = firstValue(invite.request, 'Call-ID') ?? ''
  const asked = [
    far.ask('UPDATE', { toTag, callId, cseq: 1 }),
    far.ask('UPDATE', { toTag, callId, cseq: 2, ...described(30) }),
    far.ask('INFO', { toTag, callId, cseq: 3, body: '5' }),
    far.ask('REFER', { toTag, callId, cseq: 4 }),
  ]
  await settle()
  expect(asked.map(({ status }) => status())).toEqual([200, 491, 200, 603])
  far.answer(invite, 603)
})

test('a browser whose connection closes while it rings has failed', async () => {
  const { near, far, wire } = withScriptedPeer({ transport: 'wss' })
  const leg = near.call()
  await settle()
  far.answer(far.last('INVITE'), 180)
  await settle()
  wire.close()
  expect(near.events).toEqual(['progress 180 none', 'failed transport'])
  leg.cancel()
  expect(await leg.offer(sdp(1))).toBeUndefined()
  expect(await leg.info(Buffer.from(''), 'text/plain')).toBe(481)
  far.answer(far.last('INVITE'), 487)
})
