/** Ports for programs that need a fixed one. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what the kernel gives to sockets that ask for any port, so that no other test takes it. */
const lowest = 10_000
const highest = 19_000

/** Those of late are not given again: who asked for them may not listen there yet. */
const given: number[] = []
const maxGiven = 1000

/** The first of `count` neighbours that are free for UDP and TCP. */
export async function freeNeighbours(count: number): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const first = lowest + 2 * Math.floor((Math.random() * (highest - lowest)) / 2)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (ports.some((port) => given.includes(port))) continue
    given.push(...ports)
    given.splice(0, given.length - maxGiven)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error('no free ports')
}

async function isFree(port: number): Promise<boolean> {
  const datagrams = createSocket('udp4')
  const streams = createServer()
  try {
    await Promise.all([
      once(datagrams.bind(port, '127.0.0.1'), 'listening'),
      once(streams.listen(port, '127.0.0.1'), 'listening'),
    ])
    return true
  } catch {
    return false
  } finally {
    datagrams.close()
    streams.close()
  }
}
