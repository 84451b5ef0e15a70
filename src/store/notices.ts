/** Notices from other processes, sent through the database (LISTEN/NOTIFY) and received on a connection of its own. */
import { sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../kit/log.ts'
import type { Connection, Database } from './database.ts'
import { appName } from './embedded/session.ts'

const retryMs = 1_000

export type Notices = ReturnType<typeof createNotices>

export function createNotices(connection: Connection, log: Log) {
  const listeners = new Map<string, (payload: string) => void>()
  const gapListeners: (() => void)[] = []
  let client: pg.Client | undefined
  let connected = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const fresh = new pg.Client({ ...connection, application_name: `${appName} notices`, keepAlive: true })
    client = fresh
    fresh.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('connection ended')))
    try {
      await fresh.connect()
      for (const channel of listeners.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (client === fresh) connected = true
    } catch (error) {
      lose(fresh, error)
    }
  }

  function lose(lost: pg.Client, error: unknown) {
    if (lost !== client) return
    client = undefined
    connected = false
    lost.end().catch(() => {})
    if (stopped) return
    log.warn({ err: error }, 'notices: connection to the database lost')
    for (const listener of gapListeners) listener()
    timer = setTimeout(() => {
      void connect()
    }, retryMs)
  }

  return {
    connect,
    /** False while notices may be missed. */
    connected: () => connected,
    /** One listener for each channel; all are added before connecting. */
    listen(channel: string, listener: (payload: string) => void) {
      listeners.set(channel, listener)
    },
    /** Calls the listener when notices may have been missed. */
    onGap(listener: () => void) {
      gapListeners.push(listener)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      connected = false
      await last?.end()
    },
  }
}

/** Sends a notice when the transaction commits; outside of a transaction, at once. */
export async function notify(db: Database, channel: string, payload: string) {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
