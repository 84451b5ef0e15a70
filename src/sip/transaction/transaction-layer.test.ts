/** Two ends, each with a transaction layer and transports on real sockets. */
import { afterEach, describe, expect, test } from 'vitest'
import { systemTimers } from '../../kit/timers.ts'
import { firstValue, type SipResponse } from '../message/message.ts'
import { buildResponse } from '../message/response.ts'
import type { Target } from '../transport/flow.ts'
import { connectTo, host, onStop, stopAll } from '../transport/testing/test-transports.ts'
import { requestText } from '../transport/testing/texts.ts'
import { createTransports } from '../transport/transports.ts'
import { newRequest } from './testing/requests.ts'
import { createTransactions } from './transaction-layer.ts'
import type { IncomingRequest, ResponseListener } from './transactions.ts'

afterEach(stopAll)

type Options = { tcp?: boolean; t1?: number }

async function createSide({ tcp = true, t1 = 500 }: Options = {}) {
  const log = { error() {} }
  const ports = { udp: 0, ...(tcp ? { tcp: 0 } : {}) }
  const transports = createTransports({ host, advertised: host, ports, timers: systemTimers, log })
  const transactions = createTransactions({ transports, timers: systemTimers, log, t1 })
  onStop(async () => {
    transactions.stop()
    await transports.stop()
  })
  await transports.start()
  const to = (transport: 'udp' | 'tcp'): Target => ({
    transport,
    remote: { address: host, port: transports.ports()[transport] ?? transports.ports().udp ?? 0 },
  })
  const nextRequest = () => new Promise<IncomingRequest>((resolve) => transactions.onRequest(resolve))
  return { transports, transactions, to, nextRequest }
}
type Side = Awaited<ReturnType<typeof createSide>>

/** The outcome of a request. */
function outcome(side: Side, method: string, target: Target, parts = {}) {
  const provisional: number[] = []
  const final = new Promise<SipResponse | string>((resolve) => {
    const listener: ResponseListener = {
      onProvisional: ({ status }) => void provisional.push(status),
      onFinal: resolve,
      onFailed: resolve,
    }
    side.transactions.request(newRequest(method, parts), target, listener)
  })
  return { provisional, final }
}

const respond = ({ request, respond }: IncomingRequest, status: number) =>
  respond(buildResponse(request, status, { toTag: 'theirs' }))

describe.each(['udp', 'tcp'] as const)('over %s', (transport) => {
  test('a call is set up and ended', async () => {
    const [ana, rui] = [await createSide(), await createSide()]
    const invited = rui.nextRequest()
    const invite = outcome(ana, 'INVITE', rui.to(transport), { body: 'v=0' })
    const incoming = await invited
    expect(incoming.request.body.toString()).toBe('v=0')
    const acknowledged = rui.nextRequest()
    respond(incoming, 180)
    respond(incoming, 200)
    const answer = await invite.final
    if (typeof answer === 'string') throw new Error(answer)
    expect(invite.provisional).toEqual([180])
    ana.transactions.send(newRequest('ACK', { to: firstValue(answer, 'To') ?? '' }), rui.to(transport))
    expect((await acknowledged).request.method).toBe('ACK')
    const ending = rui.nextRequest()
    const bye = outcome(ana, 'BYE', rui.to(transport), { cseq: 2 })
    respond(await ending, 200)
    expect(await bye.final).toMatchObject({ status: 200 })
  })

  test('a refusal is acknowledged below', async () => {
    const [ana, rui] = [await createSide(), await createSide()]
    const invited = rui.nextRequest()
    const invite = outcome(ana, 'INVITE', rui.to(transport))
    respond(await invited, 486)
    expect(await invite.final).toMatchObject({ status: 486 })
    const after = rui.nextRequest()
    const options = outcome(ana, 'OPTIONS', rui.to(transport))
    const incoming = await after
    expect(incoming.request.method).toBe('OPTIONS')
    respond(incoming, 200)
    await options.final
  })
})

test('a connection lost during a transaction ends it, and is reported', async () => {
  const [ana, rui] = [await createSide(), await createSide()]
  const closed = new Promise((resolve) => ana.transactions.onClosed(resolve))
  const requests = rui.nextRequest()
  const options = outcome(ana, 'OPTIONS', rui.to('tcp'))
  const { flow } = await requests
  rui.transactions.close(flow)
  expect(await options.final).toBe('transport')
  expect(await closed).toMatchObject({ transport: 'tcp' })
})

test('a large request goes by TCP, and by UDP to whom takes none', async () => {
  const [ana, rui, udpOnly] = [await createSide(), await createSide(), await createSide({ tcp: false })]
  for (const [side, transport] of [
    [rui, 'tcp'],
    [udpOnly, 'udp'],
  ] as const) {
    const requests = side.nextRequest()
    const message = outcome(ana, 'MESSAGE', side.to('udp'), { body: 'x'.repeat(2_000) })
    const incoming = await requests
    expect(incoming.flow.transport).toBe(transport)
    respond(incoming, 200)
    expect(await message.final).toMatchObject({ status: 200 })
  }
})

test('an absent peer fails at once over TCP, and by timeout over UDP', async () => {
  const ana = await createSide({ t1: 5 })
  const gone = await createSide()
  const [udp, tcp] = [gone.to('udp'), gone.to('tcp')]
  await gone.transports.stop()
  expect(await outcome(ana, 'OPTIONS', tcp).final).toBe('transport')
  expect(await outcome(ana, 'INVITE', udp).final).toBe('timeout')
})

test('a browser, or a phone on its own connection, is reached by that connection', async () => {
  const ana = await createSide()
  const requests = ana.nextRequest()
  const client = await connectTo({ address: host, port: ana.transports.ports().tcp ?? 0 })
  client.socket.write(requestText({ transport: 'TCP' }))
  const incoming = await requests
  respond(incoming, 200)
  await client.until('SIP/2.0 200 OK')
  const called = outcome(ana, 'INVITE', incoming.flow)
  await client.until('INVITE sip:1000@ramal.example SIP/2.0')
  client.socket.destroy()
  expect(await called.final).toBe('transport')
  expect(await outcome(ana, 'OPTIONS', incoming.flow).final).toBe('transport')
})
