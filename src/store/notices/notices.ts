/** Notices from other processes, sent through the database (LISTEN/NOTIFY) and received on a connection of its own. */
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../../kit/process/log.ts'
import { type Connection, createClient, type Database } from '../database.ts'
import { appName } from '../embedded/session.ts'
import { defineUnnest } from '../unnest.ts'

const retryMs = 1_000
/** D223: how often the connection is tried, and how soon it must answer. */
const heartbeatMs = 2_000
const answerMs = 5_000
const endMs = 1_000

export type Notices = ReturnType<typeof createNotices>

type Times = { heartbeatMs: number; answerMs: number }

export function createNotices(connection: Connection, log: Log, times: Times = { heartbeatMs, answerMs }) {
  const listeners = new Map<string, (payload: string) => void>()
  const gapListeners: (() => void)[] = []
  const connectedListeners: (() => void)[] = []
  const silenceListeners: ((ms: number) => void)[] = []
  let client: pg.Client | undefined
  let connected = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  /** Whose answer is awaited. */
  let beating: pg.Client | undefined
  const heartbeat = setInterval(() => void beat(), times.heartbeatMs)
  heartbeat.unref()

  async function connect() {
    const fresh = createClient(connection, {
      application_name: `${appName} notices`,
      keepAlive: true,
      connectionTimeoutMillis: times.answerMs,
      query_timeout: times.answerMs,
    })
    client = fresh
    fresh.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('connection ended')))
    try {
      await fresh.connect()
      for (const channel of listeners.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (client !== fresh) return
      connected = true
      for (const listener of connectedListeners) listener()
    } catch (error) {
      lose(fresh, error)
    }
  }

  /** A connection whose peer is gone reports no error by itself. */
  async function beat() {
    const tried = client
    if (!tried || !connected || beating === tried) return
    beating = tried
    try {
      await tried.query('select 1')
      beating = undefined
    } catch (error) {
      if (tried !== client) return
      lose(tried, error)
      for (const listener of silenceListeners) listener(times.answerMs)
    }
  }

  function lose(lost: pg.Client, error: unknown) {
    if (lost !== client) return
    client = undefined
    connected = false
    void end(lost, 0)
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
    /** Calls the listener each time notices arrive again: from now on none is missed. */
    onConnected(listener: () => void) {
      connectedListeners.push(listener)
    },
    /** Calls the listener when the database did not answer for so many milliseconds. */
    onSilence(listener: (ms: number) => void) {
      silenceListeners.push(listener)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(heartbeat)
      const last = client
      client = undefined
      connected = false
      if (last) await end(last, endMs)
    },
  }
}

/** An orderly end needs an answer of the server; there may be none. */
async function end(client: pg.Client, withinMs: number) {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  const late = setTimeout(() => connection.stream.destroy(), withinMs)
  await client.end().catch(() => {})
  clearTimeout(late)
}

/** Sends a notice when the transaction commits; outside of a transaction, at once. */
export async function notify(db: Database, channel: string, payload: string) {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}

export type Notice = { channel: string; payload: string }

const sentNotices = defineUnnest<Notice>('notice', {
  channel: ['text', ({ channel }) => channel],
  payload: ['text', ({ payload }) => payload],
})

/** Several notices in one statement. */
export async function notifyAll(db: Database, notices: Notice[]) {
  await sql`select pg_notify(channel, payload) from ${sentNotices.sql(notices)}`.execute(db)
}
