/** Every connection there is, by id and by peer, and no more of them than we are ready to hold. */
import type { Socket } from 'node:net'
import { addressBlock } from '../../../../kit/networks.ts'
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import { plainAddress } from '../addresses.ts'
import type { Peer, Target, Transport } from '../flow.ts'
import { type Connection, type ConnectionFlow, createConnection, peerKey } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'

type Deps = {
  timers: Timers
  limits: ConnectionLimits
  counts: Counts
  onClosed(flow: ConnectionFlow, wasOpen: boolean): void
}
type NewConnection = { transport: Transport; remote: Peer; made: boolean; name?: string | undefined }

const sweepMs = 5_000

export function createConnections({ timers, limits, counts, onClosed }: Deps) {
  const all = new Map<number, Connection>()
  const byPeer = new Map<string, Connection>()
  const perSource = new Map<string, number>()
  const unproven = new Set<Connection>()
  let made = 0
  let sweeping: Timer | undefined

  /** Undefined where it would be one too many; the socket is then the caller's to destroy. */
  function add(
    socket: Socket,
    { transport, remote, made: ours, name: certificateName }: NewConnection,
  ): Connection | undefined {
    const source = addressBlock(remote.address)
    const fromThere = perSource.get(source) ?? 0
    if (all.size >= limits.connections) return refuse('full')
    if (!ours && fromThere >= limits.perSource) return refuse('source_full')
    if (!ours) makeRoom()
    const id = newId(ours)
    const flow = { transport, local: localOf(socket), remote, connection: id }
    const connection = createConnection({
      flow,
      socket,
      openedByUs: ours,
      certificateName,
      maxQueuedBytes: limits.queuedBytes,
      now: timers.now,
      onClosedByUs: (why) => counts.add(`sip_connections_cut_${why}_total`),
    })
    all.set(id, connection)
    perSource.set(source, fromThere + 1)
    if (!ours) unproven.add(connection)
    // Who came to us by TLS has shown no certificate, and is not taken for whom we would verify.
    if (ours || transport !== 'tls') byPeer.set(keyOf(connection), connection)
    socket.on('error', () => {})
    socket.on('connect', () => {
      flow.local = localOf(socket)
    })
    socket.once('close', () => remove(connection, source))
    sweeping ??= timers.after(sweepMs, sweep)
    return connection
  }

  function newId(ours: boolean): number {
    made += 1
    return 2 * made - (ours ? 0 : 1)
  }

  function refuse(why: string): undefined {
    counts.add(`sip_connections_refused_${why}_total`)
  }

  function makeRoom() {
    if (unproven.size < limits.unproven) return
    const [oldest] = unproven
    if (!oldest) return
    unproven.delete(oldest)
    oldest.cut('crowded')
  }

  function remove(connection: Connection, source: string) {
    connection.leave()
    retire(connection)
    all.delete(connection.flow.connection)
    unproven.delete(connection)
    const left = (perSource.get(source) ?? 1) - 1
    if (left > 0) perSource.set(source, left)
    else perSource.delete(source)
    if (all.size === 0) stopSweeping()
    onClosed(connection.flow, connection.open)
  }

  function retire(connection: Connection) {
    const key = keyOf(connection)
    if (byPeer.get(key) === connection) byPeer.delete(key)
  }

  function prove(connection: Connection) {
    connection.proven = true
    unproven.delete(connection)
  }

  /** The very connection of a flow; where that is gone, or none was named, one to the same peer. */
  function find(target: Target): Connection | undefined {
    const named = 'connection' in target ? all.get(target.connection ?? 0) : undefined
    if (named && !named.isOver()) return named
    const name = 'name' in target ? target.name : undefined
    const known = byPeer.get(peerKey(target.transport, target.remote, name))
    return known?.isOver() ? undefined : known
  }

  /** What was sent still goes out; an end that is not answered is one all the same, at the next sweep. */
  function close(id: number | undefined) {
    const connection = all.get(id ?? 0)
    if (!connection || connection.isOver()) return
    connection.end()
    retire(connection)
  }

  function sweep() {
    const now = timers.now()
    for (const connection of all.values()) {
      if (connection.isOver()) connection.destroy()
      else if (now - connection.activeAt >= limits.idleMs) connection.cut('idle')
      else if (!connection.proven && now - connection.bornAt >= limits.unprovenMs) connection.cut('unproven')
    }
    sweeping = timers.after(sweepMs, sweep)
  }

  function stopSweeping() {
    sweeping?.cancel()
    sweeping = undefined
  }

  function stop() {
    for (const connection of all.values()) connection.destroy()
  }

  return { add, find, prove, close, stop, size: () => all.size, unproven: () => unproven.size }
}

/** Told by the number, so that it is known of those long gone: ours are even. */
export function isOpenedByPeer(id: number | undefined): boolean {
  return id !== undefined && id % 2 === 1
}

export type Connections = ReturnType<typeof createConnections>

function keyOf({ flow, certificateName }: Connection): string {
  return peerKey(flow.transport, flow.remote, certificateName)
}

function localOf({ localAddress = '', localPort = 0 }: Socket): Peer {
  return { address: plainAddress(localAddress), port: localPort }
}
