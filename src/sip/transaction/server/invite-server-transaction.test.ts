import { describe, expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import type { Transport } from '../../transport/flow.ts'
import { flowBy, responseOf } from '../testing/memory-wire.ts'
import { newRequest, viaOf } from '../testing/requests.ts'
import { createScene } from '../testing/transactions.ts'

const branch = 'z9hG4bK77'

/** Receives an INVITE. */
function invited(transport: Transport = 'udp', top = viaOf(branch, transport.toUpperCase())) {
  const scene = createScene()
  const come = (method: string, via = top, cseq = 1) =>
    scene.receive(newRequest(method, { via, cseq }), flowBy(transport))
  come('INVITE')
  const [incoming] = scene.requests
  if (!incoming) throw new Error('no request received')
  const respond = (status: number) =>
    incoming.respond(buildResponse(incoming.request, status, status > 100 ? { toTag: 'ours' } : {}))
  return { ...scene, incoming, come, respond }
}

describe('an INVITE that came', () => {
  test('is answered 100 after 200 ms without a response', () => {
    const { timers, lines } = invited()
    timers.advance(199)
    expect(lines()).toEqual([])
    timers.advance(1)
    expect(lines()).toEqual(['100'])
  })

  test('is not answered 100 after a response', () => {
    const { timers, lines, respond } = invited()
    respond(180)
    timers.advance(10_000)
    expect(lines()).toEqual(['180'])
  })

  test('is passed on once; a retransmission gets the last provisional response again', () => {
    const { requests, come, lines, respond } = invited()
    come('INVITE')
    expect(lines()).toEqual([])
    respond(180)
    respond(183)
    come('INVITE')
    expect(lines()).toEqual(['180', '183', '183'])
    expect(requests).toHaveLength(1)
  })

  test('a refusal is repeated after 0.5, 1.5, 3.5 and then every 4 s, for 32 s (timers G, H)', () => {
    const { sent, timers, respond, transactions } = invited()
    respond(486)
    const times: number[] = []
    for (let at = 0; at < 40_000; at += 100) {
      const before = sent.length
      timers.advance(100)
      if (sent.length > before) times.push(timers.now())
    }
    expect(times).toEqual([500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
    expect(new Set(sent.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(1)
    expect(timers.waiting()).toBe(0)
    expect(transactions.figures().sip_transactions_server).toBe(0)
  })

  test('the ACK ends retransmission, is not passed on, and is absorbed for 5 s more (timer I)', () => {
    const { requests, come, lines, timers, respond, transactions } = invited()
    respond(486)
    come('INVITE')
    come('ACK')
    timers.advance(4_999)
    come('ACK')
    come('INVITE')
    expect(lines()).toEqual(['486', '486'])
    expect(requests).toHaveLength(1)
    timers.advance(1)
    expect(transactions.figures().sip_transactions_server).toBe(0)
    expect(timers.waiting()).toBe(0)
  })

  test('over a connection a refusal goes once, and is over with its ACK', () => {
    const { come, lines, timers, respond } = invited('tcp')
    respond(486)
    timers.advance(10_000)
    expect(lines()).toEqual(['486'])
    come('ACK')
    expect(timers.waiting()).toBe(0)
  })

  test('RFC 6026: a 2xx is sent again on request, a late INVITE is absorbed, for 32 s (timer L)', () => {
    const { requests, incoming, come, lines, timers, respond } = invited()
    incoming.repeat()
    respond(200)
    incoming.repeat()
    come('INVITE')
    respond(486)
    expect(lines()).toEqual(['200', '200'])
    timers.advance(32_000)
    incoming.repeat()
    expect(lines()).toHaveLength(2)
    expect(timers.waiting()).toBe(0)
    expect(requests).toHaveLength(1)
  })

  test('the ACK of a 2xx is passed on, with a branch of its own or not', () => {
    const { requests, come, respond } = invited()
    respond(200)
    come('ACK', viaOf('z9hG4bK78'))
    come('ACK')
    expect(requests.map(({ request }) => request.method)).toEqual(['INVITE', 'ACK', 'ACK'])
    requests[1]?.respond(buildResponse(newRequest('ACK', { via: viaOf('z9hG4bK78') }), 200))
    expect(requests).toHaveLength(3)
  })

  test('with the same branch from another sent-by it is another', () => {
    const { requests, come } = invited()
    come('INVITE', `SIP/2.0/UDP 192.0.2.8:5070;branch=${branch}`)
    expect(requests).toHaveLength(2)
  })
})

describe('a CANCEL that came', () => {
  test('is answered 200 with the tag of its INVITE, and passed on once', () => {
    const { incoming, come, lines, sent, respond } = invited()
    const cancels: string[] = []
    incoming.onCancel(({ method }) => cancels.push(method))
    respond(180)
    come('CANCEL')
    come('CANCEL')
    expect(lines()).toEqual(['180', '200', '200'])
    expect(firstValue(responseOf(sent[1]?.message), 'To')).toContain(';tag=ours')
    expect(cancels).toEqual(['CANCEL'])
    respond(487)
    expect(lines()).toEqual(['180', '200', '200', '487'])
  })

  test('is passed to a listener that is added later', () => {
    const { incoming, come } = invited()
    come('CANCEL')
    let cancels = 0
    incoming.onCancel(() => cancels++)
    expect(cancels).toBe(1)
  })

  test('changes nothing after the final answer', () => {
    const { incoming, come, lines, respond } = invited()
    let cancels = 0
    incoming.onCancel(() => cancels++)
    respond(200)
    come('CANCEL')
    expect(lines()).toEqual(['200', '200'])
    expect(cancels).toBe(0)
  })

  test('of an unknown INVITE is answered 481, and not passed on', () => {
    const { requests, come, lines } = invited()
    come('CANCEL', viaOf('z9hG4bKother'))
    expect(lines()).toEqual(['481'])
    expect(requests).toHaveLength(1)
  })
})

describe('RFC 2543: without a branch that names anything', () => {
  const top = 'SIP/2.0/UDP 192.0.2.7:5070'

  test('retransmission, CANCEL and ACK are matched by Call-ID, From tag, CSeq, Via and Request-URI', () => {
    const { requests, incoming, come, lines, timers, respond } = invited('udp', top)
    let cancels = 0
    incoming.onCancel(() => cancels++)
    respond(180)
    come('INVITE')
    come('CANCEL')
    respond(487)
    come('ACK')
    timers.advance(2_000)
    expect(lines()).toEqual(['180', '180', '200', '487'])
    expect(cancels).toBe(1)
    expect(requests).toHaveLength(1)
  })

  test('another number is another request', () => {
    const { requests, come } = invited('udp', top)
    come('INVITE', top, 2)
    expect(requests).toHaveLength(2)
  })
})
