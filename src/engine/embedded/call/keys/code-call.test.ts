import { expect, test } from 'vitest'
import { buildRequest, buildResponseFor } from '../testing/messages.ts'
import { createStage, description } from '../testing/stage.ts'
import { startCodeCall } from './code-call.ts'

const request = {
  callId: '019a0000-0000-7000-8000-000000000002',
  number: '5548999998888',
  code: '4821',
  maxTries: 2,
  limits: { answer: 45, typing: 60 },
}

async function place() {
  const stage = createStage()
  const call = startCodeCall(stage.deps, request)
  await stage.settle()
  const [leg] = stage.outgoing
  if (!leg) throw new Error('nobody was called')
  const type = (keys: string, by: 'event' | 'sound' = 'event') => {
    for (const digit of keys) stage.onMedia({ type: 'dtmf', side: 'other', digit, by })
  }
  return { ...stage, call, leg, type }
}

async function answered() {
  const world = await place()
  world.leg.listener.onAnswered(description(6000), buildResponseFor(200))
  await world.settle()
  return world
}

const info = (key: string) =>
  buildRequest('INFO', [['Content-Type', 'application/dtmf-relay']], `Signal=${key}\r\nDuration=160\r\n`)

test('D188: the code is asked for by a tone, which ends with the first key', async () => {
  const { call, sound, type, timers, soundsOpen, leg } = await answered()
  type('4821')
  expect(sound).toEqual([
    'other at 6000 speaks PCMA',
    '950 Hz to other',
    'no tone to other',
    'no tone to other',
    'no tone to other',
    '1400 Hz to other',
  ])
  timers.advance(800)
  expect(await call.result).toMatchObject({ outcome: 'typed', cause: 'NORMAL_CLEARING' })
  expect([soundsOpen(), leg.said.length]).toEqual([0, 1])
})

test('wrong codes are answered by another tone, and end the call when there are too many', async () => {
  const { call, sound, type, timers } = await answered()
  type('1111')
  expect(sound.at(-1)).toBe('425 Hz to other')
  type('2222')
  timers.advance(800)
  expect(await call.result).toMatchObject({ outcome: 'wrong' })
})

test('keys count as well if they come as tones in the sound', async () => {
  const { call, type, timers } = await answered()
  type('482193', 'sound')
  timers.advance(1000)
  expect(await call.result).toMatchObject({ outcome: 'typed' })
})

test('each key counts once, also if it is sent as a telephone event and as INFO', async () => {
  const { call, leg, type, timers } = await answered()
  for (const key of request.code) {
    type(key)
    expect(await leg.listener.onInfo(info(key))).toBe(200)
  }
  timers.advance(800)
  expect(await call.result).toMatchObject({ outcome: 'typed' })
})

test('keys before the answer do not count, nor does an INFO about something else', async () => {
  const { call, leg, type, timers, settle } = await place()
  type(request.code)
  leg.listener.onAnswered(description(6000), buildResponseFor(200))
  await settle()
  expect(await leg.listener.onInfo(buildRequest('INFO', [['Content-Type', 'text/plain']], '4'))).toBe(415)
  timers.advance(60_000)
  expect(await call.result).toMatchObject({ outcome: 'not typed' })
})

test('a callee who hangs up after the last key has typed the code', async () => {
  const { call, leg, type } = await answered()
  type(request.code)
  leg.listener.onEnded({ why: 'bye' })
  expect(await call.result).toMatchObject({ outcome: 'typed' })
})

test('without ports, or without a route, nobody is called', async () => {
  const stage = createStage()
  stage.refuseSound()
  expect(await startCodeCall(stage.deps, request).result).toMatchObject({
    outcome: 'not answered',
    cause: 'NORMAL_CIRCUIT_CONGESTION',
  })
  const other = createStage()
  other.setRoutes([])
  expect(await startCodeCall(other.deps, request).result).toMatchObject({ cause: 'NO_ROUTE_DESTINATION' })
  expect([stage.outgoing, other.outgoing, other.soundsOpen()]).toEqual([[], [], 0])
})
