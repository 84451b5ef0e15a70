/**
 * All connections, by id and by peer, within the limits. D182: a connection is proven once its peer has authenticated.
 * The unproven are few, short-lived and the first to be closed when there are too many.
 */
import type { Socket } from 'node:net'
import { addressBlock } from '../../../kit/networks.ts'
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import { plainAddress } from '../addresses.ts'
import type { Admit, Peer, Target, Transport } from '../flow.ts'
import type { Inbox } from '../inbox.ts'
import { type MarkSocket, markSocketBy } from '../socket-marks.ts'
import { type Connection, type ConnectionFlow, createConnection, peerKey } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { createUnproven } from './unproven.ts'

type Deps = {
  markSocket?: MarkSocket | undefined
  timers: Timers
  limits: ConnectionLimits
  counts: Counts
  isKnown(address: string): boolean
  isProvenByMessage(address: string): boolean
  onClosed(flow: ConnectionFlow, wasOpen: boolean): void
}
type NewConnection = {
  transport: Transport
  remote: Peer
  openedByUs: boolean
  certificateName?: string | undefined
}

const sweepMs = 5_000
/**
 * D410: a WebSocket whose peer was silent between two sweeps is pinged, and closed after so many pings without an answer. Its
 * phone is then no longer registered, so that its callers need not wait for it. A browser answers pings by itself.
 */
const maxUnansweredPings = 2

export function createConnections(deps: Deps) {
  const { markSocket, timers, limits, counts, isKnown, isProvenByMessage, onClosed } = deps
  const all = new Map<number, Connection>()
  const byPeer = new Map<string, Connection>()
  const perSource = new Map<string, number>()
  const unproven = createUnproven(isKnown)
  let lastNumber = 0
  let sweeping: Timer | undefined

  /** Undefined if a limit is reached; the caller then destroys the socket. */
  function add(
    socket: Socket,
    { transport, remote, openedByUs, certificateName }: NewConnection,
  ): Connection | undefined {
    const source = addressBlock(remote.address)
    const sourceCount = perSource.get(source) ?? 0
    if (!openedByUs && sourceCount >= limits.perSource) return refuse('source_full')
    if (!openedByUs && unproven.size() >= limits.unproven) evictUnproven()
    if (all.size >= limits.connections && !evictUnproven()) return refuse('full')
    const id = newId(openedByUs)
    const flow = { transport, local: localOf(socket), remote, connection: id }
    const connection = createConnection({
      flow,
      socket,
      openedByUs,
      certificateName,
      maxQueuedBytes: limits.queuedBytes,
      now: timers.now,
      onClosedByUs: (why) => counts.add(`sip_connections_cut_${why}_total`),
    })
    all.set(id, connection)
    perSource.set(source, sourceCount + 1)
    if (!openedByUs) unproven.add(connection, source)
    // A TLS client has shown no certificate, so its connection is not used for requests to that peer.
    if (openedByUs || transport !== 'tls') byPeer.set(keyOf(connection), connection)
    markSocketBy(markSocket, socket)
    socket.on('error', () => {})
    socket.on('connect', () => {
      flow.local = localOf(socket)
    })
    socket.once('close', () => remove(connection, source))
    sweeping ??= timers.after(sweepMs, sweep)
    return connection
  }

  function newId(openedByUs: boolean): number {
    lastNumber += 1
    return 2 * lastNumber - (openedByUs ? 0 : 1)
  }

  function refuse(why: string): undefined {
    counts.add(`sip_connections_refused_${why}_total`)
  }

  /** False if there is none. */
  function evictUnproven(): boolean {
    const evicted = unproven.takeNext()
    if (!evicted) return false
    all.delete(evicted.flow.connection)
    evicted.abort('crowded')
    return true
  }

  function remove(connection: Connection, source: string) {
    connection.markOver()
    unlistPeer(connection)
    all.delete(connection.flow.connection)
    unproven.delete(connection, source)
    const left = (perSource.get(source) ?? 1) - 1
    if (left > 0) perSource.set(source, left)
    else perSource.delete(source)
    if (all.size === 0) stopSweeping()
    onClosed(connection.flow, connection.open)
  }

  function unlistPeer(connection: Connection) {
    const key = keyOf(connection)
    if (byPeer.get(key) === connection) byPeer.delete(key)
  }

  function prove(id: number | undefined) {
    const connection = all.get(id ?? 0)
    if (!connection) return
    connection.proven = true
    unproven.delete(connection, addressBlock(connection.flow.remote.address))
  }

  function receivedMessage(connection: Connection) {
    const { proven, flow } = connection
    if (!proven && isProvenByMessage(flow.remote.address)) prove(flow.connection)
  }

  /** The connection of the flow; if that is closed or not given, another one to the same peer. */
  function find(target: Target): Connection | undefined {
    const named = 'connection' in target ? all.get(target.connection ?? 0) : undefined
    if (named && !named.isOver()) return named
    const name = 'name' in target ? target.name : undefined
    const known = byPeer.get(peerKey(target.transport, target.remote, name))
    return known?.isOver() ? undefined : known
  }

  /** Sends what is queued first. If the peer does not close its side, the next sweep destroys the connection. */
  function close(id: number | undefined) {
    const connection = all.get(id ?? 0)
    if (!connection || connection.isOver()) return
    connection.end()
    unlistPeer(connection)
  }

  function sweep() {
    const now = timers.now()
    for (const connection of all.values()) {
      if (connection.isOver()) connection.destroy()
      else if (now - connection.activeAt >= limits.idleMs) connection.abort('idle')
      else if (connection.proven) checkPeer(connection)
      else if (now - connection.bornAt >= limits.unprovenMs) connection.abort('unproven')
    }
    sweeping = timers.after(sweepMs, sweep)
  }

  function checkPeer(connection: Connection) {
    if (connection.silentSweeps > maxUnansweredPings) return connection.abort('unresponsive')
    if (connection.silentSweeps === 0 || connection.ping()) connection.silentSweeps += 1
  }

  function stopSweeping() {
    sweeping?.cancel()
    sweeping = undefined
  }

  function stop() {
    for (const connection of all.values()) connection.destroy()
  }

  return {
    add,
    find,
    prove,
    receivedMessage,
    close,
    stop,
    size: () => all.size,
    /** Those that are open and that the peer has opened. */
    openedByPeers: () =>
      [...all.values()].filter((one) => !one.isOver() && !one.openedByUs).map(({ flow }) => flow),
    unproven: unproven.size,
  }
}

/** Encoded in the id (ours are even), so that it is also known of closed connections. */
export function isOpenedByPeer(id: number | undefined): boolean {
  return id !== undefined && id % 2 === 1
}

type Connections = ReturnType<typeof createConnections>

/** What every kind of connection needs to pass on received messages. */
export type ReceiveDeps = {
  inbox: Inbox
  connections: Connections
  now(): number
  /** Called for every message: a peer that was admitted may be blocked later. */
  admit: Admit
}

function keyOf({ flow, certificateName }: Connection): string {
  return peerKey(flow.transport, flow.remote, certificateName)
}

function localOf({ localAddress = '', localPort = 0 }: Socket): Peer {
  return { address: plainAddress(localAddress), port: localPort }
}
