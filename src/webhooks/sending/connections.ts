/**
 * Connection pool: connections to receivers, kept alive between attempts, each used by one attempt at a time. The idle
 * ones of an origin are a stack, so taking one costs the same however many there are.
 */
import { buildConnector, Client } from 'undici'
import type { Guard } from './guard.ts'

const maxOrigins = 1_000
/** Unless the receiver names a keep-alive time; a receiver that closes first makes an attempt fail. */
const idleMs = 4_000
/** The maximum age of a connection, so that names are looked up again at least this often. */
const maxAgeMs = 60_000

type Options = { guard: Guard; connectMs: number; now: () => number }

export type Connection = { client: Client; origin: string; madeAt: number }

export function createConnections({ guard, connectMs, now }: Options) {
  /** By origin; the last used connection is at the end. */
  const idle = new Map<string, Connection[]>()
  const all = new Set<Connection>()
  // An undici Client uses no proxies of the environment and follows no redirects.
  const connectChecked = buildConnector({ timeout: connectMs, allowH2: false, lookup: guard.lookUp })

  const connect: typeof connectChecked = (options, callback) => {
    try {
      guard.checkHost(options.hostname)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    connectChecked(options, callback)
  }

  /** The number of connections is bounded by the attempts in flight (delivering/lanes.ts), not here. */
  function open(origin: string): Connection {
    const client = new Client(origin, {
      connect,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: maxAgeMs,
      // The sender has one timeout for the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, origin, madeAt: now() }
    all.add(connection)
    return connection
  }

  const isOld = ({ madeAt }: Connection) => now() - madeAt > maxAgeMs

  function take(origin: string): Connection {
    const free = idle.get(origin)
    while (free) {
      const connection = free.pop()
      if (!connection) break
      if (!isOld(connection)) return connection
      drop(connection)
    }
    return open(origin)
  }

  /** Makes the connection available to the next attempt. */
  function giveBack(connection: Connection) {
    if (!all.has(connection)) return
    const { origin } = connection
    const free = idle.get(origin) ?? []
    idle.delete(origin)
    idle.set(origin, free)
    free.push(connection)
    // The bottom of the stack was unused for longest.
    const [unused] = free
    if (unused && isOld(unused)) {
      free.shift()
      drop(unused)
    }
    if (idle.size > maxOrigins) dropOldestOrigin()
  }

  function dropOldestOrigin() {
    const [[origin, unused] = ['', []]] = idle
    idle.delete(origin)
    for (const connection of unused) drop(connection)
  }

  /** Also ends the request in flight on it. */
  function drop(connection: Connection) {
    all.delete(connection)
    connection.client.destroy().catch(() => {})
  }

  async function close() {
    const clients = [...all].map(({ client }) => client)
    all.clear()
    idle.clear()
    await Promise.all(clients.map((client) => client.destroy()))
  }

  return { take, giveBack, drop, close }
}
export type Connections = ReturnType<typeof createConnections>
