import { describe, expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import { createScenes } from '../../user-agent/testing/scenes.ts'
import { described, sdp, settle } from '../../user-agent/testing/test-agents.ts'

const { answered, called, openScene } = createScenes()

const timer = ['Supported', 'timer'] as const
const updating = ['Allow', 'INVITE, ACK, BYE, CANCEL, UPDATE'] as const

describe('the session interval and refresher', () => {
  test.each([
    ['nothing of timers', [], undefined],
    ['that it knows timers', [timer], '300;refresher=uas'],
    ['an interval', [timer, ['Session-Expires', '120']], '120;refresher=uas'],
    ['to refresh itself', [timer, ['Session-Expires', '120;refresher=uac']], '120;refresher=uac'],
    ['us to refresh', [timer, ['Session-Expires', '120;refresher=uas']], '120;refresher=uas'],
    ['a long interval', [timer, ['Session-Expires', '9999;refresher=uac']], '300;refresher=uac'],
    ['a long one at least', [timer, ['Session-Expires', '9999'], ['Min-SE', '900']], '900;refresher=uas'],
    ['what a proxy added', [['Session-Expires', '120;refresher=uac']], '120;refresher=uas'],
  ] as [string, HeaderPairs, string?][])('for a caller that sends %s', async (_, headers, said) => {
    const { invite, leg } = await answered({ sessionSeconds: 300, headers })
    const answer = invite.answers[0] ?? { headers: [] }
    expect(firstValue(answer, 'Session-Expires')).toBe(said)
    expect(firstValue(answer, 'Require')).toBe(said?.endsWith('uac') ? 'timer' : undefined)
    leg.hangUp()
  })
})

test('we refresh by UPDATE at half the interval if the peer allows it, again and again', async () => {
  const { far, leg, pass, near } = await called([['Session-Expires', '300;refresher=uac'], updating])
  await pass(149_000)
  expect(far.methods()).toEqual(['INVITE', 'ACK'])
  await pass(2_000)
  const { request } = far.last('UPDATE')
  expect([firstValue(request, 'Session-Expires'), request.body.length]).toEqual(['300;refresher=uac', 0])
  far.answer(far.last('UPDATE'), 200, { headers: [['Session-Expires', '200;refresher=uac']] })
  await pass(102_000)
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'UPDATE', 'UPDATE'])
  far.answer(far.last('UPDATE'), 200)
  await pass(1_000_000)
  expect(near.events).toEqual(['answered 20'])
  leg.hangUp()
})

test('we refresh by an unchanged re-INVITE if the peer does not allow UPDATE', async () => {
  const { far, leg, pass, near } = await called([['Session-Expires', '300;refresher=uac']])
  await pass(151_000)
  const invite = far.last('INVITE')
  expect(`${invite.request.body}`).toBe(described(10).body)
  expect(firstValue(invite.request, 'Session-Expires')).toBe('300;refresher=uac')
  far.answer(invite, 200, {
    ...described(20),
    headers: [...described(20).headers, ['Session-Expires', '300;refresher=uac']],
  })
  await pass(151_000)
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK', 'INVITE'])
  expect(near.events).toEqual(['answered 20', 'settled 20'])
  leg.hangUp()
})

test('a refused UPDATE is followed by a re-INVITE', async () => {
  const { far, leg, pass } = await called([['Session-Expires', '300;refresher=uac'], updating])
  await pass(151_000)
  far.answer(far.last('UPDATE'), 405)
  await settle()
  expect(far.methods().slice(-2)).toEqual(['UPDATE', 'INVITE'])
  far.answer(far.last('INVITE'), 200, described(20))
  await pass(1_000_000)
  leg.hangUp()
})

test('a refresh answered 422 is sent again with the Min-SE of the peer', async () => {
  const { far, leg, pass } = await called([['Session-Expires', '100;refresher=uac'], updating])
  await pass(51_000)
  far.answer(far.last('UPDATE'), 422, { headers: [['Min-SE', '500']] })
  await settle()
  expect(firstValue(far.last('UPDATE').request, 'Session-Expires')).toBe('500;refresher=uac')
  far.answer(far.last('UPDATE'), 200)
  leg.hangUp()
})

test('a refresh answered 481 ends the call', async () => {
  const { far, pass, near } = await called([['Session-Expires', '300;refresher=uac'], updating])
  await pass(151_000)
  far.answer(far.last('UPDATE'), 481)
  await settle()
  expect([near.events.at(-1), far.methods().at(-1)]).toEqual(['ended unreachable', 'UPDATE'])
})

test('after a refused refresh the session expires', async () => {
  const { far, pass, near } = await called([['Session-Expires', '300;refresher=uac']])
  await pass(151_000)
  far.answer(far.last('INVITE'), 403)
  await pass(116_000)
  expect(near.events).toEqual(['answered 20'])
  await pass(2_000)
  expect([near.events.at(-1), far.methods().at(-1)]).toEqual(['ended session expired', 'BYE'])
})

test('a session the peer does not refresh expires', async () => {
  const { far, pass, near } = await called([['Session-Expires', '90;refresher=uas']])
  await pass(59_000)
  expect(near.events).toEqual(['answered 20'])
  await pass(2_000)
  expect(near.events).toEqual(['answered 20', 'ended session expired'])
  expect(firstValue(far.last('BYE').request, 'Reason')).toContain('Session expired')
})

test.each(['UPDATE', 'INVITE'])('a refresh by %s restarts the session timer', async (method) => {
  const { ask, acknowledge, leg, near, pass } = await answered({
    headers: [timer, ['Session-Expires', '120;refresher=uac']],
  })
  for (let round = 0; round < 3; round++) {
    await pass(60_000)
    const parts = method === 'INVITE' ? described(20) : { headers: [] }
    const asked = ask(method, { ...parts, headers: [...parts.headers, timer, ['Session-Expires', '120']] })
    await settle()
    expect(firstValue(asked.answers[0] ?? { headers: [] }, 'Session-Expires')).toBe('120;refresher=uac')
    if (method === 'INVITE') acknowledge()
  }
  expect(near.events.filter((event) => event.startsWith('ended'))).toEqual([])
  await pass(90_000)
  expect(near.events.at(-1)).toBe('ended session expired')
  leg.hangUp()
})

test('a very short interval is raised to the minimum, a very long one never expires', async () => {
  const short = await called([['Session-Expires', '1;refresher=uac'], updating])
  await short.pass(40_000)
  expect(short.far.methods()).toEqual(['INVITE', 'ACK'])
  short.leg.hangUp()
  await short.pass(40_000)
  const long = await called([['Session-Expires', '4294967295;refresher=uas']])
  await long.pass(40_000)
  expect(long.timers.waiting()).toBe(0)
  long.leg.hangUp()
})

test('two user agents refresh a call for an hour, and nothing is left after it', async () => {
  const made = openScene({ sessionSeconds: 300 })
  const far = made.testAgent()
  const leg = made.near.call()
  await settle()
  far.leg().accept(sdp(20))
  for (let minute = 0; minute < 60; minute++) await made.pass(60_000)
  expect([made.near.events, far.events]).toEqual([['answered 20'], ['invited 10']])
  expect(
    made.wire.sent.filter(({ message }) => 'method' in message && message.method === 'UPDATE'),
  ).toHaveLength(24)
  leg.hangUp()
})
