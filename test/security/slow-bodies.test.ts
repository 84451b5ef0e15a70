/** D213: a request whose body never ends does not hold its connection. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../src/http/operator/metrics.ts'
import { listen } from '../../src/http/server/listening.ts'
import { createServer } from '../../src/http/server/server.ts'
import { createSessionCookie } from '../../src/http/server/session-cookie.ts'
import { createLog } from '../../src/kit/log.ts'
import type { Callers } from '../../src/users/tokens/callers.ts'

const timeoutMs = 600
const server = createServer({
  log: createLog('silent'),
  callers: { find: async () => undefined } as unknown as Callers,
  rateCounters: undefined,
  metrics: createMetrics().http,
  trustProxy: [],
  strictBodies: false,
  countOthersBy: 'address',
  links: { reference: false, mailbox: false },
  sessionCookie: createSessionCookie(false),
  takesSip: false,
  maxRequests: 100,
  requestTimeoutMs: timeoutMs,
})

beforeAll(async () => {
  server.post('/echo', async ({ body }) => body)
  await listen(server, '127.0.0.1', 0)
})
afterAll(() => server.close())

async function send(text: string): Promise<{ answer: string; ms: number }> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  const began = performance.now()
  socket.write(text)
  // A byte now and then does not prolong it.
  const drip = setInterval(() => socket.write(' '), 50)
  socket.on('error', () => {})
  await once(socket, 'close')
  clearInterval(drip)
  return { answer, ms: performance.now() - began }
}

test.each([
  [
    'body',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"a":',
  ],
  ['head', 'POST /echo HTTP/1.1\r\nHost: x\r\nX-Long: '],
])('an unfinished %s is refused and closed when its time is over', async (_part, text) => {
  const { answer, ms } = await send(text)
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*MALFORMED_REQUEST/s)
  expect(ms).toBeGreaterThanOrEqual(timeoutMs - 50)
  // By default Node looks for such requests every 30 s, and gives the body 60 s.
  expect(ms).toBeLessThan(20_000)
})
