import { expect, test } from 'vitest'
import { defined } from '../../../kit/defined.ts'
import type { LegFailure } from '../../../sip/dialog/leg.ts'
import { placeCall } from './placed-call.ts'
import { buildRequest, buildResponseFor } from './testing/messages.ts'
import { callingOf, callRequest, createStage, description, phoneTarget } from './testing/stage.ts'

const refused = (status: number, q850?: number): LegFailure => ({
  status,
  why: 'refused',
  ...defined({ q850 }),
})
const ok = buildResponseFor(200)

async function place(change: Partial<typeof callRequest> = {}, registered = true) {
  const stage = createStage()
  let over = false
  const ring = () => (registered ? callingOf('1000') : undefined)
  const call = placeCall({ ...stage.deps, inviteExtension: ring }, { ...callRequest, ...change }, () => {
    over = true
  })
  await stage.settle()
  const leg = (index: number) => {
    const found = stage.outgoing[index]
    if (!found) throw new Error('nobody was called')
    return found
  }
  return { ...stage, call, isOver: () => over, aLeg: () => leg(0), bLeg: (attempt = 0) => leg(1 + attempt) }
}

async function pickUp(change: Partial<typeof callRequest> = {}) {
  const world = await place(change)
  world.aLeg().listener.onProgress(180, undefined)
  world.aLeg().listener.onAnswered(description(4000), ok)
  await world.settle()
  return world
}

async function talk(change: Partial<typeof callRequest> = {}) {
  const world = await pickUp(change)
  world.bLeg().listener.onProgress(180, undefined)
  world.bLeg().listener.onAnswered(description(6000), ok)
  await world.settle()
  return world
}

test('the extension is rung, then the destination dialled, then the two talk and are recorded', async () => {
  const { emitted, bLeg, sound, aLeg } = await talk()
  expect(emitted()).toEqual(['ringing', 'extensionAnswered', 'progress', 'answered'])
  expect(aLeg().calling.offer.media[0]).toMatchObject({ port: 20_000, formats: ['8', '0', '101'] })
  expect(bLeg().calling.offer.media[0]).toMatchObject({ port: 20_002 })
  expect(sound).toEqual([
    'extension at 4000 speaks PCMA',
    'ringback to extension',
    'other at 6000 speaks PCMA',
    'no tone to extension',
    `recording to spool/${callRequest.callId}.wav`,
  ])
})

test('the codec of the extension is offered to the destination first', async () => {
  const world = await place()
  world.aLeg().listener.onAnswered(description(4000, 'PCMU'), ok)
  await world.settle()
  expect(world.bLeg().calling.offer.media[0]?.formats).toEqual(['0', '8', '101'])
})

test('every codec of an answer may be sent, the first of them is what we send', async () => {
  const { aLeg, sound, settle } = await place()
  aLeg().listener.onAnswered(description(4000, 'PCMU', 'PCMA'), ok)
  await settle()
  expect(sound).toEqual(['extension at 4000 speaks PCMU and PCMA'])
})

test('a side that hangs up ends the other, and the end carries the recording', async () => {
  const { bLeg, aLeg, ended, settle, isOver, soundsOpen, released, timers } = await talk()
  bLeg().listener.onEnded({ why: 'bye' })
  await settle()
  expect(aLeg().said).toEqual([expect.stringMatching(/^cancel Q\.850;cause=16/)])
  expect(ended()).toMatchObject({
    cause: 'NORMAL_CLEARING',
    by: 'other',
    recording: { seconds: 3, bytes: 96_044 },
  })
  expect([isOver(), soundsOpen(), released.length, timers.waiting()]).toEqual([true, 0, 1, 0])
})

test('a call ends once, whatever else happens', async () => {
  const { bLeg, aLeg, emitted, settle, call } = await talk()
  bLeg().listener.onEnded({ why: 'bye' })
  aLeg().listener.onEnded({ why: 'bye' })
  call.hangUp()
  await settle()
  expect(emitted().filter((type) => type === 'ended')).toHaveLength(1)
})

test.each([
  [486, undefined, 'USER_BUSY'],
  [603, undefined, 'CALL_REJECTED'],
  [404, undefined, 'UNALLOCATED_NUMBER'],
  [480, undefined, 'NO_ANSWER'],
  [480, 31, 'NORMAL_UNSPECIFIED'],
  [503, 34, 'NORMAL_CIRCUIT_CONGESTION'],
  [503, undefined, 'NORMAL_CIRCUIT_CONGESTION'],
  [500, undefined, 'NETWORK_OUT_OF_ORDER'],
  [488, undefined, 'INCOMPATIBLE_DESTINATION'],
  [420, undefined, 'NORMAL_UNSPECIFIED'],
] as const)('a destination that refuses with %i (Q.850 %s) is %s (D2)', async (status, q850, cause) => {
  const { bLeg, ended, settle, aLeg } = await pickUp()
  bLeg().listener.onFailed(refused(status, q850))
  await settle()
  expect(ended()).toMatchObject({ cause, by: 'other' })
  expect(aLeg().said).toHaveLength(1)
})

test.each([
  [{ status: 486, why: 'refused' }, 'USER_BUSY'],
  [{ status: 603, why: 'refused' }, 'CALL_REJECTED'],
  [{ status: 503, why: 'refused' }, 'NORMAL_TEMPORARY_FAILURE'],
  [{ status: undefined, why: 'timeout' }, 'SUBSCRIBER_ABSENT'],
] as const)('a phone that fails with %j is %s, and nobody is dialled', async (failure, cause) => {
  const { aLeg, ended, settle, outgoing } = await place()
  aLeg().listener.onFailed(failure)
  await settle()
  expect(ended()).toMatchObject({ cause, by: 'extension' })
  expect(outgoing).toHaveLength(1)
})

test('an extension without a phone is not registered', async () => {
  const { ended, settle } = await place({}, false)
  await settle()
  expect(ended()).toMatchObject({ cause: 'USER_NOT_REGISTERED', by: 'service' })
})

test('an extension that nobody answers is cancelled after the ring limit', async () => {
  const { aLeg, timers, ended, settle } = await place()
  aLeg().listener.onProgress(180, undefined)
  timers.advance(45_000)
  await settle()
  expect(ended()).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
  expect(aLeg().said[0]).toMatch(/^cancel/)
})

test('a destination that nobody answers is cancelled after the answer limit', async () => {
  const { bLeg, timers, ended, settle } = await pickUp()
  timers.advance(60_000)
  await settle()
  expect(ended()).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
  expect(bLeg().said[0]).toMatch(/^cancel/)
})

test('a call ends when its talk limit is reached', async () => {
  const { timers, ended, settle } = await talk()
  timers.advance(3_600_000)
  await settle()
  expect(ended()).toMatchObject({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
})

test('a call ends when both sides are silent, not when one is (D123)', async () => {
  const { onMedia, ended, settle } = await talk()
  onMedia({ type: 'silent', side: 'other' })
  onMedia({ type: 'resumed', side: 'other' })
  onMedia({ type: 'silent', side: 'extension' })
  await settle()
  expect(ended()).toBeUndefined()
  onMedia({ type: 'silent', side: 'other' })
  await settle()
  expect(ended()).toMatchObject({ cause: 'MEDIA_TIMEOUT' })
})

test('a silent side is probed repeatedly until its sound resumes (D123)', async () => {
  const { onMedia, bLeg, timers, aLeg } = await talk()
  onMedia({ type: 'silent', side: 'other' })
  expect(bLeg().said).toEqual(['offers again'])
  timers.advance(120_000)
  expect(bLeg().said).toHaveLength(3)
  onMedia({ type: 'resumed', side: 'other' })
  timers.advance(120_000)
  expect([bLeg().said.length, aLeg().said.length]).toEqual([3, 0])
})

test('hung up by the service, a call is cancelled before the answer and cleared after it', async () => {
  const early = await pickUp()
  early.call.hangUp()
  await early.settle()
  expect(early.ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'service' })
  const late = await talk()
  late.call.hangUp()
  await late.settle()
  expect(late.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'service' })
})

test('an extension that hangs up while the destination is dialled cancels the call', async () => {
  const { aLeg, bLeg, ended, settle } = await pickUp()
  aLeg().listener.onEnded({ why: 'bye', q850: 16 })
  await settle()
  expect(ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
  expect(bLeg().said[0]).toMatch(/^cancel/)
})

test('a call hung up while its ports are opened rings nobody and leaves nothing open', async () => {
  const stage = createStage()
  const call = placeCall({ ...stage.deps, inviteExtension: () => callingOf('1000') }, callRequest, () => {})
  call.hangUp()
  await stage.settle()
  expect(stage.outgoing).toHaveLength(0)
  expect(stage.emitted()).toEqual(['ended'])
  expect([stage.soundsOpen(), stage.timers.waiting()]).toEqual([0, 0])
})

test.each([3_600_000, -3_600_000])(
  'a clock set by %d ms during the talk does not change its length',
  async (ms) => {
    const { answered, ended, bLeg, settle, shiftClock, timers } = await talk()
    shiftClock(ms)
    timers.advance(12_000)
    bLeg().listener.onEnded({ why: 'bye' })
    await settle()
    expect(Number(ended()?.at) - Number(answered()?.at)).toBe(12_000)
  },
)

test('without free media ports the call ends with congestion', async () => {
  const stage = createStage()
  stage.refuseSound()
  placeCall({ ...stage.deps, inviteExtension: () => callingOf('1000') }, callRequest, () => {})
  await stage.settle()
  expect(stage.ended()).toMatchObject({ cause: 'NORMAL_CIRCUIT_CONGESTION', by: 'service' })
})

test('a media thread that ends, ends the call', async () => {
  const { onMedia, ended, settle } = await talk()
  onMedia({ type: 'lost' })
  await settle()
  expect(ended()).toMatchObject({ cause: 'NORMAL_TEMPORARY_FAILURE', by: 'service' })
})

test('a recording that fails does not end the call, whose end says that it was not recorded (D519)', async () => {
  const { onMedia, ended, settle, call } = await talk()
  onMedia({ type: 'recordingFailed', reason: 'disk full' })
  await settle()
  expect(ended()).toBeUndefined()
  call.hangUp()
  await settle()
  expect(ended()).toMatchObject({ cause: 'NORMAL_CLEARING', unrecorded: true })
})

test('after a carrier that does not respond, or fails, the next is tried; not after one that rang', async () => {
  const world = await place()
  world.setRoutes([
    () => 'NORMAL_CIRCUIT_CONGESTION',
    () => world.route('first'),
    () => world.route('second'),
  ])
  world.aLeg().listener.onAnswered(description(4000), ok)
  await world.settle()
  world.bLeg(0).listener.onFailed({ status: undefined, why: 'timeout' })
  expect(world.released).toEqual(['first'])
  world.bLeg(1).listener.onProgress(180, undefined)
  world.bLeg(1).listener.onFailed(refused(500))
  await world.settle()
  expect(world.ended()).toMatchObject({ cause: 'NETWORK_OUT_OF_ORDER' })
  expect(world.outgoing).toHaveLength(3)
})

test('a carrier without a response for five seconds is skipped; one that sent 100 is not', async () => {
  const world = await place()
  world.setRoutes([() => world.route('dead'), () => world.route('slow'), () => world.route('spare')])
  world.aLeg().listener.onAnswered(description(4000), ok)
  await world.settle()
  world.timers.advance(5_000)
  expect([world.bLeg(0).said, world.released]).toEqual([[expect.stringMatching(/^cancel/)], ['dead']])
  world.bLeg(1).listener.onFirstResponse?.()
  world.bLeg(0).listener.onFailed({ status: undefined, why: 'cancelled' })
  world.timers.advance(30_000)
  world.bLeg(1).listener.onAnswered(description(6000), ok)
  await world.settle()
  expect(world.emitted().at(-1)).toBe('answered')
  expect(world.outgoing).toHaveLength(3)
})

test('a carrier whose first response is the answer is not skipped', async () => {
  const world = await place()
  world.setRoutes([() => world.route('first'), () => world.route('spare')])
  world.aLeg().listener.onAnswered(description(4000), ok)
  await world.settle()
  world.bLeg(0).listener.onAnswered(description(6000), ok)
  world.timers.advance(30_000)
  await world.settle()
  expect(world.outgoing).toHaveLength(2)
  expect(world.ended()).toBeUndefined()
})

test('without free channels a call ends with congestion, without trunks with no route', async () => {
  const full = await place()
  full.setRoutes([() => 'NORMAL_CIRCUIT_CONGESTION'])
  full.aLeg().listener.onAnswered(description(4000), ok)
  await full.settle()
  expect(full.ended()).toMatchObject({ cause: 'NORMAL_CIRCUIT_CONGESTION' })
  const none = await place()
  none.setRoutes([])
  none.aLeg().listener.onAnswered(description(4000), ok)
  await none.settle()
  expect(none.ended()).toMatchObject({ cause: 'NO_ROUTE_DESTINATION' })
})

test('ringback plays once, also if the carrier describes early media and sends none', async () => {
  const { bLeg, sound } = await pickUp()
  bLeg().listener.onProgress(183, description(6000))
  bLeg().listener.onProgress(180, undefined)
  expect(sound).toEqual([
    'extension at 4000 speaks PCMA',
    'other at 6000 speaks PCMA',
    'ringback to extension',
  ])
})

test.each([181, 182, 183])('ringback plays when the carrier sends %i without SDP', async (status) => {
  const { bLeg, sound } = await pickUp()
  bLeg().listener.onProgress(status, undefined)
  expect(sound).toEqual(['extension at 4000 speaks PCMA', 'ringback to extension'])
})

test('there is no ringback once early media of the destination was heard', async () => {
  const { bLeg, sound, onMedia } = await pickUp()
  onMedia({ type: 'media', side: 'other' })
  bLeg().listener.onProgress(183, description(6000))
  expect(sound).not.toContain('ringback to extension')
})

test('an answer without SDP is accepted only after early media', async () => {
  const mute = await pickUp()
  mute.bLeg().listener.onAnswered(undefined, ok)
  await mute.settle()
  expect(mute.ended()).toMatchObject({ cause: 'INCOMPATIBLE_DESTINATION', by: 'other' })
  const early = await pickUp()
  early.bLeg().listener.onProgress(183, description(6000))
  early.bLeg().listener.onAnswered(undefined, ok)
  await early.settle()
  expect(early.emitted().at(-1)).toBe('answered')
})

test('a new offer is answered with the same ports and a new version', async () => {
  const { aLeg, sound } = await talk()
  const held = { ...description(4010), direction: 'sendonly' as const }
  const answer = await aLeg().listener.onOffer(held, phoneTarget)
  expect(answer).toMatchObject({ media: [{ port: 20_000 }], origin: { version: '2' } })
  expect(sound.at(-1)).toBe('extension at 4010 speaks PCMA')
})

test('INFO is forwarded to the other side once the two talk, and a key in it is pressed there', async () => {
  const { aLeg, bLeg, sound } = await talk()
  const info = buildRequest('INFO', [['Content-Type', 'application/dtmf-relay']], 'Signal=5')
  const other = buildRequest('INFO', [['Content-Type', 'application/x-note']], 'hello')
  expect(await aLeg().listener.onInfo(info)).toBe(200)
  expect(await aLeg().listener.onInfo(other)).toBe(200)
  expect(sound.at(-1)).toBe('keys 5 to other')
  expect(bLeg().said).toEqual(['info application/x-note hello'])
  const alone = await pickUp()
  expect(await alone.aLeg().listener.onInfo(info)).toBe(488)
})
