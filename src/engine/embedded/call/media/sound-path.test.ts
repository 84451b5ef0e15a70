/** D420: phones that answer and then have no sound. */
import { expect, test } from 'vitest'
import { offer } from '../../../../sip/sdp/offer.ts'
import type { Direction, Sdp } from '../../../../sip/sdp/sdp.ts'
import { plainTransport } from '../../../../sip/sdp/transport.ts'
import type { AcceptedCall, IncomingCall } from '../../../port.ts'
import { takeIncomingCall } from '../incoming-call.ts'
import { placeCall } from '../placed-call.ts'
import { buildResponseFor } from '../testing/messages.ts'
import {
  callingOf,
  callRequest,
  createStage,
  description,
  incomingLeg,
  phoneTarget,
} from '../testing/stage.ts'

const ok = buildResponseFor(200)
const { extension } = callRequest
const colleague = { domain: extension.domain, number: '1001' }

/** The SDP of a browser. */
function webDescription(direction: Direction = 'sendrecv', fingerprint = '01:02'): Sdp {
  const origin = { username: '-', sessionId: '1', version: '1', address: '127.0.0.1' }
  const transport = {
    ...plainTransport,
    setup: 'active' as const,
    fingerprint: { hash: 'sha-256' as const, value: fingerprint },
    iceUfrag: 'theirs',
    icePassword: 'a password of theirs!!!',
    isRtcpMuxed: true,
  }
  return offer({ origin, address: '127.0.0.1', port: 9, codecs: ['PCMA'], direction, transport })
}

const webPhone = (name: string) => ({
  ...callingOf(name),
  target: { ...phoneTarget, transport: 'ws' as const },
})

type Phone = 'web' | 'desk'

/** Extension 1000 is rung, and answers. */
async function pickUp(phone: Phone, sdp = phone === 'web' ? webDescription() : description(4000)) {
  const stage = createStage()
  const calling = phone === 'web' ? webPhone('1000') : callingOf('1000')
  const call = placeCall(
    { ...stage.deps, awaySeconds: 20, inviteExtension: () => calling },
    callRequest,
    () => {},
  )
  await stage.settle()
  stage.outgoing[0]?.listener.onProgress(180, undefined)
  stage.outgoing[0]?.listener.onAnswered(sdp, ok)
  await stage.settle()
  const answer = async () => {
    stage.outgoing[1]?.listener.onAnswered(description(6000), ok)
    await stage.settle()
  }
  const pass = async (seconds: number) => {
    stage.timers.advance(seconds * 1000)
    await stage.settle()
  }
  return { ...stage, call, answer, pass }
}

/** A call whose INVITE came to us. */
async function arrive(from: IncomingCall['from'], leg: ReturnType<typeof incomingLeg>, called: AcceptedCall) {
  const stage = createStage()
  if ('extension' in called.destination) {
    stage.setRoutes([() => ({ ...stage.route('1001', 'phone'), protection: 'dtls' })])
  }
  const handlers = { admit: async () => called, onStarted() {}, onOver() {} }
  await takeIncomingCall({ ...stage.deps, ...handlers }, leg.leg, { from, dialled: '48999998888' })
  await stage.settle()
  const pass = async (seconds: number) => {
    stage.timers.advance(seconds * 1000)
    await stage.settle()
  }
  return { ...stage, pass }
}

test('the destination is dialled once the handshake of the web phone that was rung is over', async () => {
  const { outgoing, onMedia, answer, emitted, pass, ended } = await pickUp('web')
  expect(outgoing).toHaveLength(1)
  onMedia({ type: 'connected', side: 'extension' })
  expect(outgoing).toHaveLength(2)
  await answer()
  expect(emitted()).toEqual(['ringing', 'extensionAnswered', 'answered'])
  await pass(60)
  expect(ended()).toBeUndefined()
})

test('a web phone that answers and never connects ends the call before anybody else is dialled', async () => {
  const { outgoing, pass, ended, timers } = await pickUp('web')
  await pass(10)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service' })
  expect(outgoing).toHaveLength(1)
  expect(outgoing[0]?.said).toEqual([expect.stringMatching(/^cancel/)])
  expect(timers.waiting()).toBe(0)
})

test.each(['bye', 'disconnected'] as const)(
  'a web phone that leaves (%s) before its sound can flow ends the call before anybody else is dialled',
  async (why) => {
    const { outgoing, ended, settle, onMedia } = await pickUp('web')
    outgoing[0]?.listener.onEnded({ why })
    await settle()
    expect(ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
    onMedia({ type: 'connected', side: 'extension' })
    expect(outgoing).toHaveLength(1)
  },
)

test('a ring limit does not end a call whose web phone is connecting', async () => {
  const { timers, outgoing, ended, onMedia, settle } = await pickUp('web')
  timers.advance(9_000)
  await settle()
  onMedia({ type: 'connected', side: 'extension' })
  expect([outgoing.length, ended()]).toEqual([2, undefined])
})

test('a desk phone is not waited for, and one that never sends a packet ends the call, which is not charged', async () => {
  const { outgoing, answer, received, pass, ended } = await pickUp('desk')
  received.extension = false
  expect(outgoing).toHaveLength(2)
  await answer()
  await pass(29)
  expect(ended()).toBeUndefined()
  await pass(1)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service', unheard: true })
  expect(outgoing[1]?.said).toEqual([expect.stringMatching(/^cancel/)])
})

test('a desk phone that never sends a packet ends the call while the destination still rings', async () => {
  const { outgoing, received, pass, ended } = await pickUp('desk')
  received.extension = false
  await pass(30)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service' })
  expect(ended()).not.toHaveProperty('unheard')
  expect(outgoing[1]?.said).toEqual([expect.stringMatching(/^cancel/)])
})

test('a call that its phone hung up before it ever sent a packet is not charged', async () => {
  const { outgoing, answer, received, ended, settle } = await pickUp('desk')
  received.extension = false
  await answer()
  outgoing[0]?.listener.onEnded({ why: 'bye' })
  await settle()
  expect(ended()).toMatchObject({ cause: 'NORMAL_CLEARING', unheard: true })
})

test('a phone that was heard, or has sent reports alone, is charged and may be silent', async () => {
  const { answer, pass, ended, call, settle } = await pickUp('desk')
  await answer()
  await pass(60)
  expect(ended()).toBeUndefined()
  call.hangUp()
  await settle()
  expect(ended()).toMatchObject({ cause: 'NORMAL_CLEARING' })
  expect(ended()).not.toHaveProperty('unheard')
})

test.each(['sendonly', 'recvonly', 'inactive'] as const)(
  'a phone that said %s need not send, and its call is charged',
  async (direction) => {
    const { answer, received, pass, ended, call, settle } = await pickUp('desk', {
      ...description(4000),
      media: description(4000).media.map((audio) => ({ ...audio, direction })),
    })
    received.extension = false
    await answer()
    await pass(60)
    expect(ended()).toBeUndefined()
    call.hangUp()
    await settle()
    expect(ended()).not.toHaveProperty('unheard')
  },
)

test('a web phone that dials and never connects ends the call, which is not charged', async () => {
  const leg = incomingLeg(webDescription())
  const { outgoing, received, pass, ended, settle } = await arrive({ extension }, leg, callRequest)
  received.extension = false
  outgoing[0]?.listener.onAnswered(description(6000), ok)
  await settle()
  expect(leg.said).toEqual(['200 at 20000'])
  await pass(10)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service', unheard: true })
  expect(outgoing[0]?.said).toEqual([expect.stringMatching(/^cancel/)])
})

test('a web phone that dials and connects talks on', async () => {
  const leg = incomingLeg(webDescription())
  const { outgoing, onMedia, pass, ended, settle } = await arrive({ extension }, leg, callRequest)
  outgoing[0]?.listener.onAnswered(description(6000), ok)
  await settle()
  onMedia({ type: 'connected', side: 'extension' })
  await pass(60)
  expect(ended()).toBeUndefined()
})

const inbound: AcceptedCall = { ...callRequest, destination: { extension: colleague } }
const carrier = { trunk: 'main', callerId: { number: '5511' } }

test('a caller is answered once the handshake of the web phone that took the call is over', async () => {
  const leg = incomingLeg()
  const { outgoing, onMedia, emitted, settle } = await arrive(carrier, leg, inbound)
  outgoing[0]?.listener.onAnswered(webDescription(), ok)
  await settle()
  expect([leg.said, emitted()]).toEqual([[], []])
  onMedia({ type: 'connected', side: 'extension' })
  expect([leg.said, emitted()]).toEqual([['200 at 20002'], ['answered']])
})

test('a caller is refused if the web phone that took the call never connects', async () => {
  const leg = incomingLeg()
  const { outgoing, pass, ended } = await arrive(carrier, leg, inbound)
  outgoing[0]?.listener.onAnswered(webDescription(), ok)
  await pass(10)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service' })
  expect(leg.said).toEqual(['480'])
  expect(outgoing[0]?.said).toEqual([expect.stringMatching(/^cancel/)])
})

test.each([
  ['bye', 'NORMAL_CLEARING'],
  ['disconnected', 'SUBSCRIBER_ABSENT'],
] as const)(
  'a caller is refused if the web phone that took the call leaves at once (%s)',
  async (why, cause) => {
    const leg = incomingLeg()
    const { outgoing, ended, settle } = await arrive(carrier, leg, inbound)
    outgoing[0]?.listener.onAnswered(webDescription(), ok)
    outgoing[0]?.listener.onEnded({ why })
    await settle()
    expect(ended()).toMatchObject({ cause, by: 'extension' })
    expect(leg.said).toEqual(['480'])
  },
)

test('a web phone that comes back to its call (D318) and never connects ends it', async () => {
  const { answer, onMedia, call, outgoing, pass, ended } = await pickUp('web')
  onMedia({ type: 'connected', side: 'extension' })
  await answer()
  outgoing[0]?.listener.onEnded({ why: 'disconnected' })
  const back = incomingLeg(webDescription('sendrecv', '03:04'))
  call.comeBack('extension', back.leg)
  expect(back.said).toEqual(['200 at 20000'])
  await pass(10)
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service' })
})
