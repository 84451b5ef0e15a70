/**
 * Connections to receivers, kept open between events, each for one attempt at a time. Those of an origin lie on a
 * stack, so that whatever is sent finds one at once, however many there are.
 */
import { buildConnector, Client } from 'undici'
import type { Guard } from './guard.ts'

const mostOrigins = 1_000
/** Receivers may name another time; one that closes first makes an attempt fail. */
const idleMs = 4_000
/** Where the name leads is asked anew at least this often. */
const oldestMs = 60_000

type Options = { guard: Guard; connectMs: number; now: () => number }

export type Connection = { client: Client; origin: string; madeAt: number }

export function createConnections({ guard, connectMs, now }: Options) {
  /** By origin, the last used at the end. */
  const idle = new Map<string, Connection[]>()
  const all = new Set<Connection>()
  // The environment's proxies are not asked, redirects not followed: a client does neither.
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

  /** How many connections there are is bounded by how much is sent at once, not here. */
  function open(origin: string): Connection {
    const client = new Client(origin, {
      connect,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: oldestMs,
      // The time of an attempt is counted as a whole, by who makes it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, origin, madeAt: now() }
    all.add(connection)
    return connection
  }

  const isOld = ({ madeAt }: Connection) => now() - madeAt > oldestMs

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

  /** It may be used for the next. */
  function giveBack(connection: Connection) {
    if (!all.has(connection)) return
    const { origin } = connection
    const free = idle.get(origin) ?? []
    idle.delete(origin)
    idle.set(origin, free)
    free.push(connection)
    // At the bottom lies what nobody has needed for longest.
    const [unused] = free
    if (unused && isOld(unused)) {
      free.shift()
      drop(unused)
    }
    if (idle.size > mostOrigins) forgetOldest()
  }

  function forgetOldest() {
    const [[origin, unused] = ['', []]] = idle
    idle.delete(origin)
    for (const connection of unused) drop(connection)
  }

  /** With whatever is under way on it. */
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
