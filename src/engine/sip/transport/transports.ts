/** Transports: every way SIP messages come and go. Above are messages and flows, below are sockets. */
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import { createCounts } from '../counts.ts'
import type { HostPort } from '../uri/host.ts'
import { createConnector, type Trust } from './connections/connect.ts'
import { type ConnectionLimits, defaultConnectionLimits } from './connections/connection-limits.ts'
import { createConnections, isOpenedByPeer } from './connections/connections.ts'
import type { Credentials } from './connections/listeners.ts'
import type { Flow, Peer, Target, Transport } from './flow.ts'
import { createInbox, type TransportListener } from './inbox.ts'
import { type Opened, openPorts, type Ports } from './ports.ts'
import { createStatelessResponder } from './stateless-responses.ts'

type Options = {
  /** What we listen at; a wildcard is allowed. */
  host: string
  /** What others are told to reach us at. */
  advertised: string
  /** 0 is any free one; the same number for UDP and TCP is one number, also then. */
  ports: Ports
  tls?: Credentials
  trust?: Trust
  limits?: Partial<ConnectionLimits>
  timers: Timers
  log: Pick<Log, 'error'>
  /** Asked first, for every datagram, every new connection (which has no bytes yet), and every message on one. */
  admit?(remote: Peer, bytes?: Buffer): boolean
  /** Somebody sent what is no SIP. */
  onMalformed?(remote: Peer): void
}

type SendOptions = {
  /** UDP only: it could not be sent at all. Of a connection `closed` tells. */
  onFailed?: (() => void) | undefined
  connectMs?: number | undefined
  /** A response: where its connection is gone, the path names another to be made (RFC 3261, 18.2.2). */
  mayReconnect?: boolean
}

export function createTransports(options: Options) {
  const { host, advertised, ports, timers, log, admit = () => true } = options
  const limits = { ...defaultConnectionLimits, ...options.limits }
  const counts = createCounts()
  let listener: TransportListener | undefined
  let opened: Opened | undefined
  let stopped = false

  const stateless = createStatelessResponder({
    timers,
    counts,
    send: (bytes, path) => void send(bytes, path, { mayReconnect: true }),
  })
  const inbox = createInbox({
    counts,
    log,
    listener: () => listener,
    refuse: stateless.refuse,
    onMalformed: options.onMalformed,
  })
  const connections = createConnections({ timers, limits, counts, onClosed: inbox.closed })
  const speaking = { inbox, connections, now: timers.now, admit }
  const dial = createConnector({ host, trust: options.trust ?? {}, timers, speaking })

  /** Opens every port or none; a port that cannot be had is named. */
  async function start() {
    const handshakeMs = limits.unprovenMs
    opened = await openPorts(ports, { host, tls: options.tls, handshakeMs, counts, speaking, inbox, admit })
  }

  /** By which flow it goes; undefined where there is no way. That it arrives nobody promises. */
  function send(bytes: Buffer, target: Target, options: SendOptions = {}): Flow | undefined {
    if (stopped) return undefined
    if (target.transport === 'udp') return opened?.udp?.send(bytes, target.remote, options.onFailed)
    const connection = connections.find(target) ?? connect(target, options)
    if (!connection) return undefined
    counts.add(`sip_sent_${target.transport}_total`)
    connection.send(bytes)
    return connection.flow
  }

  /** Who connected to us from a port of the moment does not listen there. */
  function connect(target: Target, { mayReconnect, connectMs = limits.connectMs }: SendOptions) {
    const theirs = 'connection' in target && isOpenedByPeer(target.connection)
    return theirs && !mayReconnect ? undefined : dial(target, connectMs)
  }

  /** What a Via of ours says. */
  function sentBy(transport: Transport): HostPort {
    return { host: advertised, port: opened?.ports[transport] }
  }

  /** Nobody is told of connections that end with us. */
  async function stop() {
    stopped = true
    listener = undefined
    const closing = opened?.close()
    connections.stop()
    await closing
  }

  return {
    start,
    stop,
    /** As they really are; none before the start. */
    ports: (): Ports => opened?.ports ?? {},
    sentBy,
    send,
    /** Answers a request once, without a transaction, or not at all when there are too many of them. */
    answer: stateless.answer,
    close: (flow: Flow) => connections.close(flow.connection),
    listen(upstairs: TransportListener) {
      listener = upstairs
    },
    figures: (): Record<string, number> => ({
      sip_connections: connections.size(),
      sip_connections_unproven: connections.unproven(),
      ...counts.all(),
    }),
  }
}
export type Transports = ReturnType<typeof createTransports>

/** What the transaction layer uses of the transports. */
export type Wire = Pick<Transports, 'ports' | 'sentBy' | 'send' | 'answer' | 'close' | 'listen'>
