/** Transports on real sockets that record what they receive. `stopAll` stops them after each test. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { systemTimers } from '../../../kit/timers.ts'
import type { SipMessage } from '../../message/message.ts'
import type { Flow, Peer } from '../flow.ts'
import { createTransports } from '../transports.ts'

export const host = '127.0.0.1'

type Options = Partial<Parameters<typeof createTransports>[0]>
type Event = { message: SipMessage; flow: Flow } | { closed: Flow; wasOpen: boolean }

const stops: (() => unknown)[] = []

export async function stopAll() {
  for (const stop of stops.splice(0).reverse()) await stop()
}
export const onStop = (stop: () => unknown) => void stops.push(stop)

export async function createTestTransports(options: Options = {}) {
  const events: Event[] = []
  const waiting: (() => void)[] = []
  const transports = createTransports({
    host,
    advertised: host,
    ports: { udp: 0, tcp: 0 },
    timers: systemTimers,
    log: { error() {} },
    ...options,
  })
  const note = (event: Event) => {
    events.push(event)
    for (const wake of waiting.splice(0)) wake()
  }
  transports.listen({
    onMessage: (message, flow) => note({ message, flow }),
    onClosed: (closed, wasOpen) => note({ closed, wasOpen }),
  })
  stops.push(transports.stop)
  await transports.start()
  let read = 0

  async function next(): Promise<Event> {
    while (events.length <= read) await new Promise<void>((resolve) => waiting.push(resolve))
    read += 1
    return events[read - 1] as Event
  }

  return {
    transports,
    events,
    /** The next message; closed connections before it are skipped. */
    async nextMessage() {
      for (;;) {
        const event = await next()
        if ('message' in event) return event
      }
    },
    async nextClosed() {
      for (;;) {
        const event = await next()
        if ('closed' in event) return event
      }
    },
    at: (transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'): Peer => ({
      address: host,
      port: transports.ports()[transport] ?? 0,
    }),
  }
}

/** A bare TCP client. */
export async function connectTo({ port }: Peer) {
  const socket = connect(port, host)
  await once(socket, 'connect')
  return noting(socket)
}

/** Collects received text; `until` resolves when it contains a string, `ended` when the peer has closed. */
export function noting(socket: Socket) {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  stops.push(() => socket.destroy())
  return {
    socket,
    ended,
    text: () => text,
    async until(wanted: string) {
      while (!text.includes(wanted)) await once(socket, 'data')
      return text
    },
  }
}
