/** D213, D470: a request whose body never ends does not hold its connection. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../../src/http/operator/metrics.ts'
import { listen } from '../../../src/http/server/listening.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { createSessionCookie } from '../../../src/http/server/session-cookie.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createTestTimers } from '../../../src/kit/testing/test-timers.ts'
import type { Timers } from '../../../src/kit/timers.ts'
import type { Callers } from '../../../src/users/tokens/callers.ts'

const timeoutMs = 600

function createEcho(options: { requestTimeoutMs?: number; timers?: Timers }) {
  const made = createServer({
    log: createLog('silent'),
    callers: { find: async () => undefined } as unknown as Callers,
    rateCounters: undefined,
    metrics: createMetrics().http,
    trustProxy: ['127.0.0.1'],
    strictBodies: false,
    countOthersBy: 'address',
    links: { reference: false, mailbox: false },
    sessionCookie: createSessionCookie(false),
    takesSip: false,
    maxRequests: 100,
    ...options,
  })
  made.post('/echo', async ({ body }) => body)
  return made
}

const server = createEcho({ requestTimeoutMs: timeoutMs })
const timers = createTestTimers()
const timed = createEcho({ timers })

beforeAll(async () => {
  await listen(server, '127.0.0.1', 0)
  await listen(timed, '127.0.0.1', 0)
})
afterAll(async () => {
  await server.close()
  await timed.close()
})

async function send(text: string): Promise<string> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  socket.write(text)
  // A byte now and then does not prolong it.
  const drip = setInterval(() => socket.write(' '), 50)
  socket.on('error', () => {})
  await once(socket, 'close')
  clearInterval(drip)
  return answer
}

/** By default Node looks for such requests every 30 s, and gives the body 60 s. */
const sooner = { timeout: 20_000 }

test.each([
  [
    'body',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"a":',
  ],
  ['head', 'POST /echo HTTP/1.1\r\nHost: x\r\nX-Long: '],
])('an unfinished %s is refused and closed when its time is over', sooner, async (_part, text) => {
  expect(await send(text)).toMatch(/^HTTP\/1\.1 400 .*MALFORMED_REQUEST/s)
})

/** Sends a body but for its last byte. Resolves when the service has read the head: it answers 100. */
async function sendUnfinished(size: string, from = '192.0.2.1') {
  const socket = connect((timed.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const head = ['POST /echo HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Connection: close']
  socket.write(`${[...head, `X-Forwarded-For: ${from}`, size, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return { socket, answered: readAll(socket) }
}

async function readAll(socket: Socket): Promise<string> {
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer
}

test('D470: a small body has six seconds to arrive, a large one longer', async () => {
  const small = await sendUnfinished('Content-Length: 900')
  const large = await sendUnfinished('Content-Length: 1000000')
  timers.advance(8_000)
  expect(await small.answered).toMatch(/^HTTP\/1\.1 400 .*MALFORMED_REQUEST/s)
  large.socket.write(`"${'x'.repeat(999_998)}"`)
  expect(await large.answered).toMatch(/^HTTP\/1\.1 200/)
})

test('D470: when bodies under way could become too large, the oldest of the address with the most is refused', async () => {
  const chunked = 'Transfer-Encoding: chunked'
  const finish = '4\r\nnull\r\n0\r\n\r\n'
  const patient = await sendUnfinished(chunked, '198.51.100.1')
  const many: Awaited<ReturnType<typeof sendUnfinished>>[] = []
  for (let n = 0; n < 63; n++) many.push(await sendUnfinished(chunked, '203.0.113.1'))
  const latest = await sendUnfinished(chunked, '198.51.100.2')
  expect(await many[0]?.answered).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*SERVICE_UNAVAILABLE/is)
  for (const { socket, answered } of [patient, latest, ...many.slice(1)]) {
    socket.write(finish)
    expect(await answered).toMatch(/^HTTP\/1\.1 200/)
  }
})
