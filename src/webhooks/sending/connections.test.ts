/** Connections are kept for the next attempts, up to a maximum age. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createConnections } from './connections.ts'
import { createGuard } from './guard.ts'

let connected = 0
const server = createServer((_, response) => response.end('ok')).on('connection', () => {
  connected += 1
})
let origin = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  connected = 0
})
afterAll(() => server.close())

function start() {
  const timers = createTestTimers()
  const guard = createGuard(
    () => true,
    async () => [],
  )
  return { timers, ...createConnections({ guard, connectMs: 5_000, now: timers.now }) }
}

async function ask({ take, giveBack }: ReturnType<typeof start>) {
  const connection = take(origin)
  const { body } = await connection.client.request({ path: '/', method: 'POST' })
  await body.dump()
  giveBack(connection)
  return connection
}

test('what is sent one after the other goes over one connection, what is sent at once over several', async () => {
  const connections = start()
  const first = await ask(connections)
  expect(await ask(connections)).toBe(first)
  expect(connected).toBe(1)
  await Promise.all([1, 2, 3].map(() => ask(connections)))
  expect(connected).toBe(3)
  await connections.close()
})

test('after a minute a connection is not used again, nor one that was dropped', async () => {
  const connections = start()
  const first = await ask(connections)
  connections.timers.advance(60_001)
  const second = await ask(connections)
  expect(second).not.toBe(first)
  const taken = connections.take(origin)
  expect(taken).toBe(second)
  connections.drop(taken)
  connections.giveBack(taken)
  expect(await ask(connections)).not.toBe(second)
  expect(connected).toBe(3)
  await connections.close()
})
