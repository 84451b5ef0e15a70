import { describe, expect, test } from 'vitest'
import { buildResponse } from '../../message/response.ts'
import type { Transport } from '../../transport/flow.ts'
import { flowBy, peer } from '../testing/memory-wire.ts'
import { newRequest, viaOf } from '../testing/requests.ts'
import { createScene, type Scene } from '../testing/transactions.ts'

function come(scene: Scene, branch: string, transport: Transport = 'udp', method = 'REGISTER') {
  scene.receive(newRequest(method, { via: viaOf(`z9hG4bK${branch}`) }), flowBy(transport))
}
function answer(scene: Scene, at: number, status = 200) {
  const incoming = scene.requests[at]
  if (!incoming) throw new Error('no request received')
  incoming.respond(buildResponse(incoming.request, status, { toTag: 'ours' }))
}

describe('a request that came', () => {
  test('RFC 3261, 8.2.7: a stateless response is not kept; a retransmitted request is passed on again', () => {
    const scene = createScene()
    come(scene, '1')
    const [incoming] = scene.requests
    incoming?.respondOnce?.(buildResponse(incoming.request, 401, { toTag: 'ours' }))
    expect(scene.lines()).toEqual(['401'])
    expect(scene.transactions.figures()).toMatchObject({
      sip_transactions_server: 0,
      sip_transactions_kept: 0,
    })
    expect(scene.timers.waiting()).toBe(0)
    answer(scene, 0)
    come(scene, '1')
    expect(scene.lines()).toEqual(['401'])
    expect(scene.requests).toHaveLength(2)
  })

  test('is passed on once; a retransmission is answered from the response cache, for 32 s (timer J)', () => {
    const scene = createScene()
    come(scene, '1')
    come(scene, '1')
    expect(scene.lines()).toEqual([])
    answer(scene, 0)
    answer(scene, 0, 500)
    come(scene, '1')
    expect(scene.lines()).toEqual(['200', '200'])
    expect(scene.sent[1]?.bytes).toEqual(scene.sent[0]?.bytes)
    expect(scene.requests).toHaveLength(1)
    scene.timers.advance(31_999)
    come(scene, '1')
    expect(scene.requests).toHaveLength(1)
    scene.timers.advance(1)
    expect(scene.timers.waiting()).toBe(0)
    come(scene, '1')
    expect(scene.requests).toHaveLength(2)
  })

  test('over a connection is forgotten with its answer', () => {
    const scene = createScene()
    come(scene, '1', 'tcp')
    answer(scene, 0)
    expect(scene.transactions.figures().sip_transactions_server).toBe(0)
    expect(scene.timers.waiting()).toBe(0)
  })

  test('without a final response ends when its client has timed out', () => {
    const scene = createScene()
    come(scene, '1')
    scene.timers.advance(32_000)
    expect(scene.timers.waiting()).toBe(0)
    answer(scene, 0)
    expect(scene.lines()).toEqual([])
  })

  test('is answered 500 if its handler throws', () => {
    const scene = createScene()
    scene.transactions.onRequest(() => {
      throw new Error('listener')
    })
    come(scene, '1')
    expect(scene.lines()).toEqual(['500'])
    expect(scene.errors).toHaveLength(1)
  })

  test('is answered at the port of sent-by, or at the source port with rport', () => {
    const scene = createScene()
    for (const [branch, more] of [
      ['1', ''],
      ['2', ';rport=6001'],
      ['3', ';maddr=198.51.100.1;received=198.51.100.2'],
    ]) {
      const via = `SIP/2.0/UDP phone.example:6000;branch=z9hG4bK${branch}${more}`
      scene.receive(newRequest('OPTIONS', { via }), flowBy('udp'))
    }
    scene.receive(newRequest('OPTIONS', { via: 'SIP/2.0/UDP phone.example;branch=z9hG4bK4' }), flowBy('udp'))
    for (const at of [0, 1, 2, 3]) answer(scene, at)
    expect(scene.sent.map(({ target }) => target.remote)).toEqual(
      [6000, 6001, 6000, 5060].map((port) => ({ address: peer.address, port })),
    )
  })

  test('is answered on its connection, or at sent-by if that is closed', () => {
    const scene = createScene()
    come(scene, '1', 'tcp')
    answer(scene, 0)
    expect(scene.sent[0]?.target).toMatchObject({ connection: 1, remote: { port: 5070 } })
  })
})

describe('too many', () => {
  test('unanswered requests: more are answered 503, except retransmissions and CANCEL', () => {
    const scene = createScene({ limits: { unanswered: 2 } })
    come(scene, '1')
    come(scene, '2', 'udp', 'INVITE')
    come(scene, '3')
    come(scene, '1')
    come(scene, '2', 'udp', 'CANCEL')
    expect(scene.statelessStatuses).toEqual([503])
    expect(scene.lines()).toEqual(['200'])
    expect(scene.requests).toHaveLength(2)
    answer(scene, 0)
    come(scene, '3')
    expect(scene.requests).toHaveLength(3)
    expect(scene.transactions.figures().sip_requests_refused_total).toBe(1)
  })

  test('answers to remember: the oldest are forgotten first, new requests are taken', () => {
    const scene = createScene({ limits: { kept: 2 } })
    for (const [at, branch] of ['1', '2', '3'].entries()) {
      come(scene, branch)
      answer(scene, at, at === 0 ? 486 : 200)
    }
    expect(scene.transactions.figures()).toMatchObject({
      sip_transactions_server: 2,
      sip_transactions_kept: 2,
    })
    come(scene, '3')
    expect(scene.requests).toHaveLength(3)
    come(scene, '1')
    expect(scene.requests).toHaveLength(4)
  })

  test('bytes to remember: the same', () => {
    const scene = createScene({ limits: { keptBytes: 2_000 } })
    for (const at of [0, 1, 2, 3, 4]) {
      come(scene, String(at), 'udp', 'INVITE')
      answer(scene, at, 486)
    }
    expect(scene.transactions.figures().sip_transactions_kept).toBe(2)
    scene.timers.advance(32_000)
    expect(scene.timers.waiting()).toBe(0)
  })
})

test('a closed connection is reported, and one can be closed', () => {
  const scene = createScene()
  const gone: (number | undefined)[] = []
  scene.transactions.onClosed(({ connection }) => gone.push(connection))
  scene.lose(5)
  scene.lose(6, false)
  expect(gone).toEqual([5])
  scene.transactions.close(flowBy('tcp', 7))
  expect(scene.closedFlows).toMatchObject([{ connection: 7 }])
})

test('stopping forgets every request', () => {
  const scene = createScene()
  come(scene, '1')
  come(scene, '2', 'udp', 'INVITE')
  answer(scene, 1, 486)
  scene.transactions.stop()
  expect(scene.timers.waiting()).toBe(0)
})
