/** D350: phones of browsers behind HAProxy, with the configuration that compose.yaml uses; two servers stand for the nodes. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { defined } from '../../src/kit/defined.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { startBalancer } from './balancer.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const patience = { timeout: 30_000 }
/** The handshake of RFC 6455, section 1.2. */
const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const accepted = [
  'HTTP/1.1 101 Switching Protocols',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
]

/** Ready, and connects every WebSocket. */
async function startNode(name: string) {
  const sockets = new Set<Socket>()
  let isReady = true
  const server = createServer((_request, response) => response.writeHead(isReady ? 200 : 503).end())
  server.on('connection', (socket) => sockets.add(socket))
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write([...accepted, `X-Node: ${name}`, '', ''].join('\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const drain = () => {
    isReady = false
  }
  return { name, drain, port: (server.address() as AddressInfo).port }
}

/** Connects as the phone of a page, which sends the cookies it has; the connection stays open. */
async function connect(url: string, cookie?: string) {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': key,
    'sec-websocket-version': '13',
    ...defined({ cookie }),
  }
  const sent = request(`${url}/sip`, { headers }).end()
  const upgraded = once(sent, 'upgrade') as Promise<[IncomingMessage, Socket]>
  const refused = once(sent, 'response') as Promise<[IncomingMessage]>
  const [{ statusCode, headers: given, socket }] = await Promise.race([upgraded, refused])
  closing.push(() => socket.destroy())
  return { status: statusCode, node: given['x-node'], cookie: given['set-cookie']?.[0] }
}

describe.skipIf(programMissing('haproxy'))('phones of browsers', () => {
  test('are spread over the voice nodes, and come back to their own until it drains', async () => {
    const nodes = [await startNode('voice-1'), await startNode('voice-2')]
    const balancer = await startBalancer(
      await freePort(),
      [],
      nodes.map(({ port }) => port),
    )
    closing.push(balancer.stop)
    const first = () => connect(balancer.url).catch(() => undefined)
    const seen = new Set<unknown>()
    const namesSeen = async () => {
      const found = await first()
      if (found?.status === 101) seen.add(found.node)
      return [...seen].toSorted()
    }
    await expect.poll(namesSeen, patience).toEqual(['voice-1', 'voice-2'])

    const one = await connect(balancer.url)
    expect(one.cookie).toMatch(/^ramal-node=[^;]+; path=\/; HttpOnly; SameSite=Strict$/i)
    const cookie = one.cookie?.split(';')[0]
    for (let load = 0; load < 5; load += 1) {
      expect((await connect(balancer.url, cookie)).node).toBe(one.node)
    }
    const [own, other] = nodes[0]?.name === one.node ? nodes : nodes.toReversed()
    own?.drain()
    const nodeNow = async () => (await connect(balancer.url, cookie)).node
    await expect.poll(nodeNow, patience).toBe(other?.name)
  })
})
