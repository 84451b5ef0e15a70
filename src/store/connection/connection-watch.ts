/**
 * Finds connections of a pool that are silently dead: the peer is gone or packets are dropped, and no error arrives
 * (D223). They are looked at once a second, so that a query costs nothing more.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'

const everyMs = 1_000
/** An orderly end needs an answer of the server. */
const endWithinMs = 3_000

type Seen = {
  /** Since when a query waits without a byte received; undefined while none waits. */
  waitingSince: number | undefined
  bytesRead: number
  /** When `bytesRead` was last seen to change. */
  lastRead: number
}

type Options = {
  /** A query that receives nothing for so long has lost its connection. More than the server's own limit for a statement. */
  silentMs: number
  lookEveryMs?: number
}

/** What the driver has and its types do not list. */
type Inside = { connection: { stream: Socket }; readyForQuery?: boolean }

export function watchConnections(pool: pg.Pool, { silentMs, lookEveryMs = everyMs }: Options) {
  const clients = new Map<pg.PoolClient, Seen>()
  pool.on('connect', (client) => {
    clients.set(client, { waitingSince: undefined, bytesRead: 0, lastRead: performance.now() })
  })
  pool.on('remove', (client) => clients.delete(client))
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  function look() {
    const now = performance.now()
    for (const [client, seen] of clients) {
      const { connection, readyForQuery } = inside(client)
      const { bytesRead } = connection.stream
      if (readyForQuery !== false) seen.waitingSince = undefined
      else if (seen.waitingSince === undefined || bytesRead !== seen.bytesRead) seen.waitingSince = now
      else if (now - seen.waitingSince > silentMs) cut(client)
      if (bytesRead !== seen.bytesRead) seen.lastRead = now
      seen.bytesRead = bytesRead
    }
  }

  /** The queries on it fail, and the pool replaces it. */
  function cut(client: pg.PoolClient) {
    clients.delete(client)
    inside(client).connection.stream.destroy(new Error('Connection terminated: the database does not answer'))
  }

  return {
    /** The server did not answer elsewhere for `ms`: replaces connections, busy or idle, that received nothing either. */
    replaceSilent(ms: number) {
      look()
      // Half the time, because reads are sampled only once a second.
      const before = performance.now() - ms / 2
      for (const [client, { lastRead }] of clients) if (lastRead <= before) cut(client)
    },
    async end() {
      clearInterval(timer)
      const late = setTimeout(() => [...clients.keys()].forEach(cut), endWithinMs)
      await pool.end()
      clearTimeout(late)
    },
  }
}

function inside(client: pg.PoolClient): Inside {
  return client as unknown as Inside
}
