import { expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import { createScenes } from '../../user-agent/testing/scenes.ts'
import { described, sdp, settle, tagIn } from '../../user-agent/testing/test-agents.ts'
import { brief } from '../../user-agent/testing/wire.ts'

const { answered, openScene } = createScenes()

test('a call is answered and hung up by either end', async () => {
  const made = openScene()
  const { near } = made
  const far = made.testAgent()
  for (const [hangUp, ended] of [
    [(leg: { hangUp(): void }) => leg.hangUp(), far],
    [() => far.leg().hangUp([['Reason', 'Q.850;cause=17']]), near],
  ] as const) {
    const leg = near.call()
    await settle()
    far.leg().progress(180)
    far.leg().accept(sdp(20))
    await settle()
    expect([near.agent.legs(), far.agent.legs()]).toEqual([1, 1])
    hangUp(leg)
    await settle()
    expect([near.agent.legs(), far.agent.legs()]).toEqual([0, 0])
    expect(ended.events.at(-1)).toMatch(/^ended bye/)
  }
  expect(near.events.slice(-3)).toEqual(['progress 180 none', 'answered 20', 'ended bye 17'])
})

test('BYEs that cross are answered at both ends, and no listener is called', async () => {
  const made = openScene()
  const { near, wire } = made
  const far = made.testAgent()
  const leg = near.call()
  await settle()
  far.leg().accept(sdp(20))
  await settle()
  wire.let(() => 'hold')
  leg.hangUp()
  far.leg().hangUp()
  wire.release()
  await settle()
  const answers = wire.sent.map(({ message }) => brief(message)).filter((text) => text.endsWith(' BYE'))
  expect(answers).toEqual(['200 BYE', '200 BYE'])
  expect([...near.events, ...far.events].filter((event) => event.startsWith('ended'))).toEqual([])
})

test('a BYE before the ACK ends the call', async () => {
  const made = openScene()
  const { near } = made
  const far = made.scriptedPeer()
  const invite = far.ask('INVITE', { cseq: 1, ...described(20) })
  await settle()
  near.leg().accept(sdp(30))
  await settle()
  const toTag = tagIn(invite.answers)
  const bye = far.ask('BYE', { cseq: 2, toTag })
  await settle()
  expect([bye.status(), near.events.at(-1)]).toEqual([200, 'ended bye'])
  await made.pass(40_000)
  expect(made.wire.sentBy('near')).toEqual(['200 INVITE', '200 BYE'])
})

test('after hanging up, later requests are answered 481', async () => {
  const { far, leg, ask } = await answered()
  leg.hangUp()
  await settle()
  const info = ask('INFO')
  far.answer(far.last('BYE'), 481)
  await settle()
  const late = ask('INVITE', described(21))
  await settle()
  expect([info.status(), late.status()]).toEqual([481, 481])
})

test('a CSeq lower than the last is answered 500, a request of another dialog 481', async () => {
  const { ask, far, toTag, leg, near } = await answered()
  const [late, early, again] = [
    ask('OPTIONS', { cseq: 9 }),
    ask('INFO', { cseq: 8 }),
    ask('UPDATE', { cseq: 9 }),
  ]
  const stray = far.ask('BYE', { cseq: 20, toTag, fromTag: 'another' })
  far.acknowledge({ cseq: 20, toTag, fromTag: 'another' })
  await settle()
  expect([late, early, again, stray].map(({ status }) => status())).toEqual([200, 500, 500, 481])
  expect(near.events).toEqual([])
  leg.hangUp()
})

test.each([
  ['OPTIONS', [], 200, 'Supported', 'timer'],
  ['PRACK', [], 200],
  ['REFER', [['Refer-To', '<sip:x@y>']], 603],
  ['NOTIFY', [['Event', 'x']], 489, 'Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER'],
  [
    'SUBSCRIBE',
    [['Event', 'x']],
    489,
    'Allow',
    'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER',
  ],
  ['MESSAGE', [], 405, 'Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER'],
  ['PUBLISH', [], 405, 'Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER'],
  ['INFO', [['Require', 'x']], 420, 'Unsupported', 'x'],
] as [string, HeaderPairs, number, string?, string?][])(
  '%s within a call is answered and has no effect',
  async (method, headers, status, name = 'Server', value = 'Ramal') => {
    const { ask, leg, near } = await answered()
    const asked = ask(method, { headers })
    await settle()
    expect([asked.status(), firstValue(asked.answers[0] ?? { headers: [] }, name)]).toEqual([status, value])
    expect(near.events).toEqual([])
    leg.hangUp()
  },
)

test('INFO is passed to the listener, answered with its status, and can be sent', async () => {
  const { ask, leg, near, far } = await answered()
  const first = ask('INFO', { body: '1' })
  await settle()
  near.behaviour.info = async () => 415
  const second = ask('INFO', { body: '2' })
  await settle()
  near.behaviour.info = () => Promise.reject(new Error('no'))
  const third = ask('INFO', { body: '3' })
  await settle()
  expect([first, second, third].map(({ status }) => status())).toEqual([200, 415, 500])
  expect(near.events).toEqual(['info 1', 'info 2', 'info 3', 'error'])
  const sent = leg.info(Buffer.from('Signal=5'), 'application/dtmf-relay')
  await settle()
  const { request } = far.last('INFO')
  expect([firstValue(request, 'Content-Type'), `${request.body}`]).toEqual([
    'application/dtmf-relay',
    'Signal=5',
  ])
  far.answer(far.last('INFO'), 200)
  expect(await sent).toBe(200)
  leg.hangUp()
  expect(await leg.info(Buffer.from('x'), 'text/plain')).toBe(481)
})

test.each([
  [481, 481, ['INFO']],
  [408, 408, ['INFO', 'BYE']],
])('a %i to a request of ours in the dialog ends the call', async (status, expected, methods) => {
  const { leg, near, far } = await answered()
  far.received.length = 0
  const sent = leg.info(Buffer.from('x'), 'text/plain')
  await settle()
  far.answer(far.last('INFO'), status)
  expect(await sent).toBe(expected)
  await settle()
  expect([near.events, far.methods()]).toEqual([['ended unreachable'], methods])
})

test('a timeout of a request of ours in the dialog ends the call', async () => {
  const { leg, near, wire, pass } = await answered()
  wire.let(() => 'lose')
  const sent = leg.info(Buffer.from('x'), 'text/plain')
  await pass(32_000)
  expect([await sent, near.events]).toEqual([408, ['ended unreachable']])
})

test('a closed connection ends a call over WebSocket, not over TCP', async () => {
  const browser = await answered({ transport: 'wss' })
  const open = browser.leg.offer(sdp(31))
  browser.wire.close()
  expect(browser.near.events).toEqual(['ended disconnected'])
  expect(await open).toBeUndefined()
  await browser.pass(40_000)
  expect([browser.near.agent.legs(), browser.timers.waiting()]).toEqual([0, 0])

  const phone = await answered({ transport: 'tcp' })
  phone.wire.close()
  expect(phone.near.events).toEqual([])
  phone.leg.hangUp()
})

test('a request refused as out of order is sent again, unless we have sent BYE', async () => {
  const { leg, far } = await answered()
  const offered = leg.offer(sdp(31))
  const informed = leg.info(Buffer.from('x'), 'text/plain')
  await settle()
  far.answer(far.last('INFO'), 200)
  far.answer(far.last('INVITE'), 500)
  await settle()
  expect(firstValue(far.last('INVITE').request, 'CSeq')).toBe('3 INVITE')
  far.answer(far.last('INVITE'), 500)
  expect([await offered, await informed]).toEqual([undefined, 200])
  void leg.offer(sdp(32))
  await settle()
  leg.hangUp()
  far.answer(far.last('INVITE'), 500)
  await settle()
  expect(far.methods().slice(-2)).toEqual(['INVITE', 'BYE'])
})
