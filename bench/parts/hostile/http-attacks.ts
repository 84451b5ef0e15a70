/** Hostile HTTP clients with as many addresses as they like. Each attack lasts so many seconds and returns what was answered. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { defined } from '../../../src/kit/defined.ts'
import { api } from '../service.ts'

export type Statuses = Record<string, number>

let addresses = 0

/** In 11.0.0.0/8: not those of the measured client. */
function newAddress(): string {
  addresses += 1
  return `11.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const count = (statuses: Statuses, status: string | number) => {
  statuses[status] = (statuses[status] ?? 0) + 1
}

export type Request = { method: string; path: string; token?: string; body?: unknown }

type Loops = { port: number; seconds: number; loops: number; requests: Request[] }

/** Each loop sends the next request as soon as its last was answered and read, from a new address each time. */
export async function loopRequests({ port, seconds, loops, requests }: Loops): Promise<Statuses> {
  const statuses: Statuses = {}
  const end = performance.now() + seconds * 1000
  let turn = 0
  const loop = async () => {
    do {
      const request = requests[turn++ % requests.length]
      if (!request) return
      const left = Math.max(1, Math.ceil(end - performance.now()))
      const status = await send(port, request, left).catch(() => 'cut')
      count(statuses, status)
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: loops }, loop))
  return statuses
}

async function send(port: number, { method, path, token, body }: Request, ms: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, {
    method,
    headers: {
      'x-forwarded-for': newAddress(),
      ...defined({ authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ms),
  })
  await response.arrayBuffer()
  return response.status
}

type Bodies = { port: number; seconds: number; connections: number; addresses: number; paths: string[] }

/** Keeps so many connections with a body that never ends: one that is closed is opened again. */
export async function holdBodies({ port, seconds, connections, addresses: from, paths }: Bodies) {
  const statuses: Statuses = {}
  const own = Array.from({ length: from }, newAddress)
  const end = performance.now() + seconds * 1000
  const sockets = new Set<Socket>()
  const hold = async (index: number) => {
    while (performance.now() < end) {
      const socket = connect(port, '127.0.0.1')
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', (bytes) => count(statuses, bytes.toString('latin1', 9, 12)))
      const head = [
        `POST ${api}${paths[index % paths.length]} HTTP/1.1`,
        'Host: localhost',
        `X-Forwarded-For: ${own[index % own.length]}`,
        'Content-Type: application/json',
        'Content-Length: 900',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n{`)
      await once(socket, 'close').catch(() => {})
      sockets.delete(socket)
    }
  }
  const holding = Array.from({ length: connections }, (_, index) => hold(index))
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, end - performance.now())))
  for (const socket of sockets) socket.destroy()
  await Promise.all(holding)
  return statuses
}
