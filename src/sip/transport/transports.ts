/** The transport layer (RFC 3261, 18): sends and receives SIP messages over UDP, TCP, TLS and WebSocket. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { createCounts } from '../counts.ts'
import type { WithHeaders } from '../header.ts'
import { addReceived, senderBehindProxy } from '../headers/via.ts'
import type { SipMessage } from '../message/message.ts'
import type { HostPort } from '../uri/host.ts'
import { plainAddress } from './addresses.ts'
import { createConnector, type TlsTrust } from './connections/connect.ts'
import { type ConnectionLimits, defaultConnectionLimits } from './connections/connection-limits.ts'
import { createConnections, isOpenedByPeer } from './connections/connections.ts'
import type { TlsCredentials } from './connections/listeners.ts'
import { createUpgrade } from './connections/websocket-connection.ts'
import type { Admit, Flow, Peer, Target, Transport } from './flow.ts'
import { createInbox, type TransportListener } from './inbox.ts'
import type { MessageTap } from './message-tap.ts'
import { type Opened, openPorts, type Ports } from './ports.ts'
import type { MarkSocket } from './socket-marks.ts'
import { createStatelessResponder } from './stateless-responses.ts'
import type { SipUpgrade } from './upgrade.ts'

type Options = {
  /** The address to listen on; a wildcard is allowed. */
  host: string
  /** The host in our Via and Contact headers, where peers reach us. */
  advertised: string
  /** 0 is any free port. UDP and TCP get the same port if they ask for the same number, also for 0. */
  ports: Ports
  tls?: TlsCredentials
  trust?: TlsTrust
  limits?: Partial<ConnectionLimits>
  /** D632: called with the descriptor of each socket, before a message is sent on it. */
  markSocket?: MarkSocket | undefined
  timers: Timers
  log: Pick<Log, 'error'>
  tap?: MessageTap | undefined
  /** Called first for every datagram, every new connection (without bytes), and every message on one. */
  admit?: Admit
  /** A peer sent something that is not valid SIP. */
  onMalformed?(flow: Flow): void
  /**
   * D182: whether a valid message from this address is enough to prove its connection. Otherwise it stays unproven until
   * `prove` is called. By default it is enough; a server whose peers authenticate says otherwise.
   */
  isProvenByMessage?(address: string): boolean
  /** D252: proxies that name the phone a request came from. */
  isEdge?(address: string): boolean
  /**
   * D421: whether a request over UDP is answered at the port it came from, though it does not ask for it (RFC 3581). By
   * default it is not.
   */
  answersAtSourcePort?(address: string): boolean
  /** Sources whose unproven connections are closed after those of others. */
  isKnown?(address: string): boolean
  /**
   * D184: whether a response may be sent over a new connection, if that of its request is closed (RFC 3261, 18.2.2). By
   * default none may: the sender of a request could make us connect to any port of its address.
   */
  mayDialBack?(address: string): boolean
}

type SendOptions = {
  /** UDP only: the datagram could not be sent. A connection that fails is reported by `onClosed`. */
  onFailed?: (() => void) | undefined
  connectMs?: number | undefined
  /** For responses: if the connection is closed, a new one to the target is opened (RFC 3261, 18.2.2). */
  mayReconnect?: boolean
}

export function createTransports(options: Options) {
  const { host, advertised, ports, timers, log, admit = () => true, mayDialBack = () => false } = options
  const { isEdge, answersAtSourcePort = () => false, tap } = options
  const limits = { ...defaultConnectionLimits, ...options.limits }
  const counts = createCounts()
  let listener: TransportListener | undefined
  let opened: Opened | undefined
  let stopped = false

  const stateless = createStatelessResponder({
    timers,
    counts,
    noteSource,
    send: (bytes, path) => void send(bytes, path, { mayReconnect: true }),
  })
  const inbox = createInbox({
    counts,
    log,
    listener: () => listener,
    tap,
    noteSource,
    refuse: stateless.refuse,
    onMalformed: options.onMalformed,
    findSource: isEdge && sourceBehindEdge,
  })
  const connections = createConnections({
    markSocket: options.markSocket,
    timers,
    limits,
    counts,
    isKnown: options.isKnown ?? (() => false),
    isProvenByMessage: options.isProvenByMessage ?? (() => true),
    onClosed: inbox.closed,
  })
  const receiveDeps = { inbox, connections, now: timers.now, admit }
  const upgrade = createUpgrade(receiveDeps)
  const openConnection = createConnector({ host, trust: options.trust ?? {}, timers, receiveDeps })

  function noteSource<Request extends WithHeaders>(request: Request, { transport, remote }: Flow): Request {
    return addReceived(request, remote, transport === 'udp' && answersAtSourcePort(remote.address))
  }

  /** The limits for strangers hold for phones behind an edge too. */
  function sourceBehindEdge(request: SipMessage, flow: Flow): Peer | undefined | false {
    if (!isEdge?.(flow.remote.address)) return undefined
    const remote = senderBehindProxy(request)
    return remote && !admit({ transport: flow.transport, remote }) ? false : remote
  }

  /** Opens all ports or none; the error names the port that failed. */
  async function start() {
    const handshakeMs = limits.unprovenMs
    const { tls, markSocket } = options
    const deps = { host, tls, handshakeMs, counts, receiveDeps, inbox, admit, markSocket }
    opened = await openPorts(ports, deps)
  }

  /** Returns the flow the message is sent on; undefined if the target cannot be reached. Delivery is not guaranteed. */
  function send(bytes: Buffer, target: Target, options: SendOptions = {}): Flow | undefined {
    const flow = sendOn(bytes, target, options)
    if (flow) tap?.onSent(bytes, flow)
    return flow
  }

  function sendOn(bytes: Buffer, target: Target, options: SendOptions): Flow | undefined {
    if (stopped) return undefined
    if (target.transport === 'udp') return opened?.udp?.send(bytes, target.remote, options.onFailed)
    const connection = connections.find(target) ?? connect(target, options)
    if (!connection) return undefined
    counts.add(`sip_sent_${target.transport}_total`)
    connection.send(bytes)
    return connection.flow
  }

  /** A peer that connected to us does not listen on the ephemeral port it came from. */
  function connect(target: Target, { mayReconnect, connectMs = limits.connectMs }: SendOptions) {
    const openedByPeer = 'connection' in target && isOpenedByPeer(target.connection)
    const mayOpen = !openedByPeer || (mayReconnect && mayDialBack(target.remote.address))
    return mayOpen ? openConnection(target, connectMs) : undefined
  }

  /** Takes over a connection that came to the HTTP port of the service. */
  function acceptUpgrade({ request, socket, head, address, isSecure }: SipUpgrade) {
    const transport = isSecure ? 'wss' : 'ws'
    const remote = { address: plainAddress(address), port: socket.remotePort ?? 0 }
    const admitted = !stopped && admit({ transport, remote })
    const connection = admitted
      ? connections.add(socket, { transport, remote, openedByUs: false })
      : undefined
    if (connection) return upgrade(connection, request, socket, head)
    counts.add('sip_dropped_not_admitted_total')
    socket.destroy()
  }

  /** The sent-by of our Via headers. */
  function sentBy(transport: Transport): HostPort {
    return { host: advertised, port: opened?.ports[transport] }
  }

  /** The listener is not called for the connections this closes. */
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
    /** The ports that are open; none before `start`. */
    ports: (): Ports => opened?.ports ?? {},
    sentBy,
    send,
    acceptUpgrade,
    /** A new certificate for connections that are opened to us from now on. */
    renewTls: (tls: TlsCredentials) => opened?.renewTls(tls),
    /** Answers a request without a transaction; rate-limited. */
    answer: stateless.answer,
    close: (flow: Flow) => connections.close(flow.connection),
    /** The connection of a flow, if there is one, has sent an authenticated message. */
    prove: (flow: Flow) => connections.prove(flow.connection),
    /** Flows of connections that peers have opened. */
    peerFlows: (): Flow[] => connections.openedByPeers(),
    listen(newListener: TransportListener) {
      listener = newListener
    },
    figures: (): Record<string, number> => ({
      sip_connections: connections.size(),
      sip_connections_unproven: connections.unproven(),
      ...counts.all(),
    }),
  }
}
type Transports = ReturnType<typeof createTransports>

/** What the transaction layer uses of the transports. */
export type Wire = Pick<Transports, 'ports' | 'sentBy' | 'send' | 'answer' | 'close' | 'listen'>
