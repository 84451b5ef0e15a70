/** Transports on real sockets that note what they hear, and that are stopped after each test. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import { systemTimers } from '../../../../kit/timers.ts'
import type { SipMessage } from '../../message/message.ts'
import type { Flow, Peer } from '../flow.ts'
import { createTransports } from '../transports.ts'

export const host = '127.0.0.1'

type Options = Partial<Parameters<typeof createTransports>[0]>
type Event = { message: SipMessage; flow: Flow } | { closed: Flow; wasOpen: boolean }

const endings: (() => unknown)[] = []

export async function endAll() {
  for (const end of endings.splice(0).reverse()) await end()
}
export const atTheEnd = (end: () => unknown) => void endings.push(end)

export async function createStation(options: Options = {}) {
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
  endings.push(transports.stop)
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
    /** The next message, whatever closed before it. */
    async heard() {
      for (;;) {
        const event = await next()
        if ('message' in event) return event
      }
    },
    async closed() {
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

/** Time that stands, for sockets that do not. */
export const standingTimers = createTestTimers

/** A bare TCP client. */
export async function connectTo({ port }: Peer) {
  const socket = connect(port, host)
  await once(socket, 'connect')
  return noting(socket)
}

/** What comes is gathered; `until` resolves when it holds a text, `ended` when the other end has closed. */
export function noting(socket: Socket) {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  endings.push(() => socket.destroy())
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
