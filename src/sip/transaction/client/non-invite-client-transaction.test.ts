import { expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { flowBy, peer, requestOf } from '../testing/memory-wire.ts'
import { newRequest } from '../testing/requests.ts'
import { ask, createOutcomeRecorder, createScene, responseTo } from '../testing/transactions.ts'

function timesOfSending(scene: ReturnType<typeof createScene>, until: number) {
  const times: number[] = []
  while (scene.timers.now() < until) {
    const before = scene.sent.length
    scene.timers.advance(100)
    if (scene.sent.length > before) times.push(scene.timers.now())
  }
  return times
}

test('a request over UDP is repeated ever slower up to 4 s, and given up after 32 (timers E, F)', () => {
  const scene = createScene()
  const { outcomes } = ask(scene, 'OPTIONS')
  expect(timesOfSending(scene, 40_000)).toEqual([
    500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
  ])
  expect(outcomes).toEqual(['timeout'])
  expect(scene.timers.waiting()).toBe(0)
})

test('after a provisional answer it is repeated every 4 s, and still given up after 32', () => {
  const scene = createScene()
  const { outcomes, answer } = ask(scene, 'OPTIONS')
  answer(100)
  expect(timesOfSending(scene, 10_000)).toEqual([500, 4_500, 8_500])
  scene.timers.advance(22_000)
  expect(outcomes).toEqual(['100', 'timeout'])
})

test('the final response goes to the listener once; retransmissions are absorbed until timer K', () => {
  const scene = createScene()
  const { outcomes, answer } = ask(scene, 'OPTIONS')
  answer(200)
  answer(200)
  expect(outcomes).toEqual(['200'])
  expect(scene.transactions.figures().sip_responses_unmatched_total).toBeUndefined()
  scene.timers.advance(5_000)
  expect(scene.timers.waiting()).toBe(0)
  answer(200)
  expect(scene.transactions.figures().sip_responses_unmatched_total).toBe(1)
})

test('T1 and T2 can be configured', () => {
  const scene = createScene({ t1: 50, t2: 100, t4: 200 })
  const { outcomes } = ask(scene, 'OPTIONS')
  scene.timers.advance(3_200)
  expect(outcomes).toEqual(['timeout'])
})

test('over a connection it is sent once and over with its answer', () => {
  const scene = createScene()
  const { outcomes, answer } = ask(scene, 'OPTIONS', 'tcp')
  scene.timers.advance(10_000)
  answer(200)
  expect(scene.lines()).toEqual(['OPTIONS'])
  expect(outcomes).toEqual(['200'])
  expect(scene.timers.waiting()).toBe(0)
})

test('it fails with its connection', () => {
  const scene = createScene()
  const { outcomes } = ask(scene, 'OPTIONS', 'tcp')
  const other = ask(scene, 'OPTIONS', 'ws')
  scene.lose(9)
  expect([outcomes, other.outcomes]).toEqual([[], ['transport']])
  scene.lose(scene.lastConnection())
  expect(outcomes).toEqual(['transport'])
})

test('a response is matched by branch, method and sent-by, and has one Via', () => {
  const scene = createScene()
  const { outcomes } = ask(scene, 'OPTIONS')
  const sent = requestOf(scene.sent[0]?.message)
  const via = firstValue(sent, 'Via') ?? ''
  const forged = (change: (text: string) => string, method = 'OPTIONS') =>
    buildResponse(newRequest(method, { via: change(via) }), 200)
  scene.receive(forged((text) => text.replace('branch=z9hG4bK', 'branch=z9hG4bKx')))
  scene.receive(forged((text) => text.replace('ramal.example', 'other.example')))
  scene.receive(forged((text) => `${text}, ${text}`))
  scene.receive(forged((text) => text, 'BYE'))
  scene.receive(forged((text) => text.replace(/branch=[^;]+/, 'branch=old')))
  expect(outcomes).toEqual([])
  expect(scene.transactions.figures().sip_responses_unmatched_total).toBe(5)
  scene.receive(forged((text) => text))
  expect(outcomes).toEqual(['200'])
})

test('a request has a Via of ours, with a branch of its own and rport', () => {
  const scene = createScene()
  const first = requestOf(ask(scene, 'OPTIONS').request())
  const second = requestOf(ask(scene, 'OPTIONS').request())
  expect(firstValue(first, 'Via')).toMatch(
    /^SIP\/2\.0\/UDP ramal\.example:5060;branch=z9hG4bK[\w-]{16};rport$/,
  )
  expect(firstValue(first, 'Via')).not.toBe(firstValue(second, 'Via'))
})

test('a request that is answered is remembered by its name only', () => {
  for (const [method, status] of [
    ['OPTIONS', 200],
    ['INVITE', 200],
    ['INVITE', 486],
  ] as const) {
    const scene = createScene()
    const { request, answer } = ask(scene, method)
    answer(100)
    expect(request()?.method).toBe(method)
    answer(status)
    expect(request()).toBeUndefined()
    expect(scene.transactions.figures().sip_transactions_client).toBe(1)
  }
})

test('a request outside of transactions is sent once', () => {
  const scene = createScene()
  scene.transactions.send(newRequest('ACK'), { transport: 'udp', remote: peer })
  scene.timers.advance(60_000)
  expect(scene.lines()).toEqual(['ACK'])
})

test('an exception in a listener does not stop the transactions', () => {
  const scene = createScene()
  const { listener } = createOutcomeRecorder()
  const fail = () => {
    throw new Error('listener')
  }
  const target = { transport: 'udp' as const, remote: peer }
  scene.transactions.request(newRequest('OPTIONS'), target, { ...listener, onFinal: fail })
  scene.receive(responseTo(scene, 200), flowBy('udp'))
  scene.transactions.request(newRequest('OPTIONS'), target, { ...listener, onFailed: fail })
  scene.timers.advance(40_000)
  expect(scene.errors).toHaveLength(2)
})

test('stopping ends all transactions without calling a listener', () => {
  const scene = createScene()
  const one = ask(scene, 'INVITE')
  const other = ask(scene, 'OPTIONS')
  scene.transactions.stop()
  expect(scene.timers.waiting()).toBe(0)
  expect([...one.outcomes, ...other.outcomes]).toEqual([])
})
