import { describe, expect, test } from 'vitest'
import { cseq } from '../../headers/numbers.ts'
import { firstValue, values } from '../../message/message.ts'
import { requestOf } from '../testing/memory-wire.ts'
import { ask, createScene } from '../testing/transactions.ts'

describe('an INVITE over UDP', () => {
  test('is repeated after 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s, and given up after 32 (timers A, B)', () => {
    const scene = createScene()
    const { outcomes } = ask(scene, 'INVITE')
    const times: number[] = []
    for (let at = 0; at < 40_000; at += 100) {
      const before = scene.sent.length
      scene.timers.advance(100)
      if (scene.sent.length > before) times.push(scene.timers.now())
    }
    expect(times).toEqual([500, 1_500, 3_500, 7_500, 15_500, 31_500])
    expect(outcomes).toEqual(['timeout'])
    expect(scene.timers.waiting()).toBe(0)
  })

  test('is repeated with the very same bytes', () => {
    const scene = createScene()
    ask(scene, 'INVITE')
    scene.timers.advance(500)
    expect(scene.sent[1]?.bytes).toBe(scene.sent[0]?.bytes)
  })

  test('is no longer repeated after a provisional answer, and may then ring for long', () => {
    const scene = createScene()
    const { outcomes, answer } = ask(scene, 'INVITE')
    answer(100)
    answer(180)
    scene.timers.advance(180_000)
    expect(scene.lines()).toEqual(['INVITE'])
    expect(outcomes).toEqual(['100', '180'])
  })

  test('RFC 6026: every 2xx goes to the listener, also one of another fork, until timer M', () => {
    const scene = createScene()
    const { outcomes, answer } = ask(scene, 'INVITE')
    answer(200)
    answer(200)
    answer(200, 'fork')
    answer(486)
    expect(outcomes).toEqual(['200', '200', '200'])
    expect(scene.lines()).toEqual(['INVITE'])
    scene.timers.advance(32_000)
    answer(200)
    expect(outcomes).toHaveLength(3)
    expect(scene.transactions.figures()).toMatchObject({
      sip_transactions_client: 0,
      sip_responses_unmatched_total: 1,
    })
  })

  test('a non-2xx final response goes to the listener once and is acknowledged each time, until timer D', () => {
    const scene = createScene()
    const { outcomes, answer } = ask(scene, 'INVITE')
    answer(486)
    answer(486)
    expect(outcomes).toEqual(['486'])
    expect(scene.lines()).toEqual(['INVITE', 'ACK', 'ACK'])
    scene.timers.advance(32_000)
    expect(scene.timers.waiting()).toBe(0)
    answer(486)
    expect(scene.lines()).toHaveLength(3)
  })

  test('the ACK of a refusal has the branch, the routes and the number of its INVITE, and the tag of the answer', () => {
    const scene = createScene()
    const { answer } = ask(scene, 'INVITE', 'udp', { headers: [['Route', '<sip:a.example;lr>']], cseq: 7 })
    answer(404)
    const [invite, ack] = scene.sent.map(({ message }) => requestOf(message))
    if (!invite || !ack) throw new Error('not sent')
    expect(values(ack, 'Via')).toEqual(values(invite, 'Via'))
    expect(values(ack, 'Route')).toEqual(['<sip:a.example;lr>'])
    expect(cseq(ack)).toEqual({ number: 7, method: 'ACK' })
    expect(firstValue(ack, 'To')).toContain(';tag=b1')
    expect(firstValue(ack, 'Max-Forwards')).toBe('70')
  })

  test('fails asynchronously when it cannot be sent', () => {
    const scene = createScene()
    scene.makeUnreachable()
    const { outcomes } = ask(scene, 'INVITE')
    expect(outcomes).toEqual([])
    scene.timers.advance(0)
    expect(outcomes).toEqual(['transport'])
    expect(scene.timers.waiting()).toBe(0)
  })

  test('fails when the socket reports an error later', () => {
    const scene = createScene()
    const { outcomes } = ask(scene, 'INVITE')
    scene.sent[0]?.failed?.()
    scene.sent[0]?.failed?.()
    expect(outcomes).toEqual(['transport'])
    expect(scene.timers.waiting()).toBe(0)
  })
})

describe('an INVITE over a connection', () => {
  test('is sent once, and given up after 32 s', () => {
    const scene = createScene()
    const { outcomes } = ask(scene, 'INVITE', 'tcp')
    scene.timers.advance(32_000)
    expect(scene.lines()).toEqual(['INVITE'])
    expect(outcomes).toEqual(['timeout'])
  })

  test('is over with the ACK of its refusal', () => {
    const scene = createScene()
    ask(scene, 'INVITE', 'tcp').answer(603)
    expect(scene.lines()).toEqual(['INVITE', 'ACK'])
    expect(scene.timers.waiting()).toBe(0)
  })

  test('fails with it, if nothing was answered yet', () => {
    const scene = createScene()
    const { outcomes } = ask(scene, 'INVITE', 'tcp')
    scene.lose(scene.lastConnection())
    expect(outcomes).toEqual(['transport'])
    expect(scene.timers.waiting()).toBe(0)
  })

  test('outlives it once answered provisionally, since the other end can connect to us', () => {
    const scene = createScene()
    const { outcomes, answer } = ask(scene, 'INVITE', 'tcp')
    answer(180)
    scene.lose(scene.lastConnection())
    answer(200)
    expect(outcomes).toEqual(['180', '200'])
  })

  test('fails when its WebSocket closes, in any state', () => {
    const scene = createScene()
    const { outcomes, answer } = ask(scene, 'INVITE', 'ws')
    answer(180)
    scene.lose(9)
    expect(outcomes).toEqual(['180', 'transport'])
  })
})

describe('CANCEL', () => {
  test('waits for a provisional response, then has the branch of the INVITE and the given headers', () => {
    const scene = createScene()
    const { cancel, answer, outcomes } = ask(scene, 'INVITE', 'udp', { cseq: 3 })
    cancel([['Reason', 'SIP;cause=200']])
    expect(scene.lines()).toEqual(['INVITE'])
    answer(100)
    expect(scene.lines()).toEqual(['INVITE', 'CANCEL'])
    const [invite, sent] = scene.sent.map(({ message }) => requestOf(message))
    if (!invite || !sent) throw new Error('not sent')
    expect(values(sent, 'Via')).toEqual(values(invite, 'Via'))
    expect(cseq(sent)).toEqual({ number: 3, method: 'CANCEL' })
    expect(firstValue(sent, 'Reason')).toBe('SIP;cause=200')
    answer(487)
    expect(outcomes).toEqual(['100', '487'])
  })

  test('goes at once after a provisional answer, once, and is repeated like any request', () => {
    const scene = createScene()
    const { cancel, answer } = ask(scene, 'INVITE')
    answer(180)
    cancel()
    cancel()
    answer(180)
    scene.timers.advance(500)
    expect(scene.lines()).toEqual(['INVITE', 'CANCEL', 'CANCEL'])
  })

  test('is not sent after a final answer', () => {
    const scene = createScene()
    const { cancel, answer, outcomes } = ask(scene, 'INVITE')
    cancel()
    answer(200)
    cancel()
    expect(scene.lines()).toEqual(['INVITE'])
    expect(outcomes).toEqual(['200'])
  })

  test('that has no effect ends the INVITE after 32 s', () => {
    const scene = createScene()
    const { cancel, answer, outcomes } = ask(scene, 'INVITE')
    answer(180)
    cancel()
    scene.timers.advance(31_999)
    expect(outcomes).toEqual(['180'])
    scene.timers.advance(1)
    expect(outcomes).toEqual(['180', 'timeout'])
    expect(scene.timers.waiting()).toBe(0)
  })

  test('does nothing to another request', () => {
    const scene = createScene()
    ask(scene, 'OPTIONS').cancel()
    expect(scene.lines()).toEqual(['OPTIONS'])
  })
})
