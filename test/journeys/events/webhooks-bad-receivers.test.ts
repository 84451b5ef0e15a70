/** Bad receivers beside good ones: each delays only itself, and its result is shown with the delivery. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestTimers } from '../../../src/kit/testing/test-timers.ts'
import { startReceiver } from '../../helpers/programs/receiver.ts'
import { announce, callOf } from '../../helpers/service/announcements.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
const timers = createTestTimers()
beforeAll(async () => {
  // Deliveries are read again and again until they have their results.
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10', RATE_LIMITS: 'off' }
  service = await startService(settings, { timers })
})
afterAll(async () => {
  const stopped = service.stop()
  timers.advance(60_000)
  await stopped
})

type BadReceiver = {
  behave: (socket: Socket) => void
  status: string
  lastStatus: number | null
  /** The delivery has no result until the timeout. */
  untilTimeout?: true
  error: RegExp | null
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

/** Each `behave` gets the connection once a request has arrived. */
const badReceivers: Record<string, BadReceiver> = {
  'never answers': {
    behave: () => {},
    untilTimeout: true,
    status: 'pending',
    lastStatus: null,
    error: /no answer within 15 s/,
  },
  'drips a head': {
    behave: (socket) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: 1'),
    untilTimeout: true,
    status: 'pending',
    lastStatus: null,
    error: /no answer within 15 s/,
  },
  'drips a body': {
    behave: (socket) => void socket.write(`${head}content-length: 1000\r\n\r\na`),
    untilTimeout: true,
    status: 'delivered',
    lastStatus: 200,
    error: null,
  },
  'sends without end': {
    behave(socket) {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const flood = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', flood)
      flood()
    },
    status: 'delivered',
    lastStatus: 200,
    error: null,
  },
  'sends heads without end': {
    behave(socket) {
      socket.write('HTTP/1.1 200 OK\r\n')
      const flood = () => {
        while (!socket.destroyed && socket.write(`x-more: ${'y'.repeat(8_000)}\r\n`));
      }
      socket.on('drain', flood)
      flood()
    },
    status: 'pending',
    lastStatus: null,
    error: /header/i,
  },
  resets: { behave: (socket) => socket.resetAndDestroy(), status: 'pending', lastStatus: null, error: /./ },
  'hangs up': { behave: (socket) => void socket.end(), status: 'pending', lastStatus: null, error: /./ },
  'speaks no HTTP': {
    behave: (socket) => void socket.end('220 mail.example ESMTP\r\n'),
    status: 'pending',
    lastStatus: null,
    error: /./,
  },
  'promises for ever': {
    behave(socket) {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3))
    },
    untilTimeout: true,
    status: 'pending',
    lastStatus: null,
    error: /./,
  },
}

async function startBadReceiver({ behave }: BadReceiver) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => behave(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Resolves when the sender has received the response headers of the receiver at `url`. */
function untilAnswerBegins(url: string): Promise<void> {
  return new Promise((resolve) => {
    const name = 'undici:request:headers'
    const onHeaders = (message: unknown) => {
      const { request } = message as { request: { origin: string | URL } }
      if (`${request.origin}/`.startsWith(url) || String(request.origin) === url) {
        unsubscribe(name, onHeaders)
        resolve()
      }
    }
    subscribe(name, onHeaders)
  })
}

test('good receivers get events at once, and every bad one has its result within 15 seconds', async () => {
  const ana = await openAccount(service)
  const listen = async (gateway: string, webhookUrl: string): Promise<number> => {
    const metadata = { webhookUrl, webhookTypes: ['channel-answer', 'channel-hangup'] }
    return (await service.api.patch('/integrations', { gateway, webhook: true, metadata }, ana)).body.id
  }
  const running = await Promise.all(
    Object.entries(badReceivers).map(async ([name, expected]) => {
      const one = await startBadReceiver(expected)
      return { name, expected, ...one, id: await listen(name, one.url) }
    }),
  )
  const dripping = running.find(({ name }) => name === 'drips a body')
  const answerBegun = untilAnswerBegins(dripping?.url ?? '')
  const good = await startReceiver()
  await listen('good', good.url)

  const calls = 5
  for (let call = 0; call < calls; call++) {
    await announce(service, await callOf(service, ana.email), 'channel-answer', 'channel-hangup')
  }
  // The test's timers stand still, so no bad receiver has timed out when the good one has everything.
  const received = await good.until(2 * calls)
  for (const { body } of received) {
    const ofCall = received.filter((one) => one.body.id === body.id)
    expect(ofCall.map((one) => one.body.sequence)).toEqual([1, 2])
  }

  /** The oldest delivery, once it has been tried. */
  async function untilTried(id: number, onPending: () => void) {
    for (;;) {
      const { body } = await service.api.get(`/integrations/${id}/deliveries?page=1`, ana)
      const delivery = body.data.at(-1)
      if (delivery.lastAttemptAt !== null) return delivery
      onPending()
    }
  }
  async function check({ id, name, expected }: (typeof running)[number], onPending = () => {}) {
    const delivery = await untilTried(id, onPending)
    expect(delivery, name).toMatchObject({ status: expected.status, lastStatus: expected.lastStatus })
    if (expected.error) expect(delivery.lastError, name).toMatch(expected.error)
    else expect(delivery.lastError, name).toBeNull()
  }
  for (const one of running) if (!one.expected.untilTimeout) await check(one)
  await answerBegun
  for (const one of running) if (one.expected.untilTimeout) await check(one, () => timers.advance(15_000))
  for (const { stop } of running) stop()
  timers.advance(15_000)
  await good.stop()
})
