/**
 * A real PostgreSQL whose clock is the simulation's: `now()` and `clock_timestamp()` are functions of ours that come before
 * the built-in ones in the search path, and read a setting that the gate sets with each statement.
 */
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import type { Notification } from './messages.ts'

/** What runs beside statements, or depends on real time, would make two runs of a seed differ. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1d',
  bgwriter_lru_maxpages: '0',
  track_counts: 'off',
  update_process_title: 'off',
  autovacuum: 'off',
  // A statement is planned once in a session instead of six times and now and then again: 7 % of the processor time of a run.
  plan_cache_mode: 'force_generic_plan',
  synchronize_seqscans: 'off',
  max_parallel_workers_per_gather: '0',
  // Long after a waiting session is stopped (`freeze`), which must not happen while it looks for deadlocks.
  deadlock_timeout: '3s',
}

const database = 'simulated'

export async function startServer(dataDir: string, startsAt: Date) {
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
  const { host, port, user } = embedded.connection
  const connectTo = async (name: string) => {
    const client = new pg.Client({ ...embedded.connection, database: name })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const maintenance = await connectTo(embedded.connection.database)
  await maintenance.query(`create database ${database}`)
  const start = startsAt.toISOString()
  await maintenance.query(`alter database ${database} set search_path = public, pg_catalog`)
  const admin = await connectTo(database)
  for (const [name, setting] of [
    ['now', 'sim.now'],
    ['clock_timestamp', 'sim.clock'],
  ])
    await admin.query(`create function public.${name}() returns timestamptz language sql stable parallel safe
      return coalesce(nullif(current_setting('${setting}', true), ''), '${start}')::timestamptz`)

  const listener = await connectTo(database)
  let heard: Notification[] = []
  let notifyingTables: string[] = []
  const channels = new Set<string>()
  listener.on('notification', ({ channel, payload }) => heard.push({ channel, payload: payload ?? '' }))

  return {
    socketPath: join(host, `.s.PGSQL.${port}`),
    connection: { host, port, user, database, ssl: false as const },
    async listen(channel: string) {
      if (channels.has(channel)) return
      channels.add(channel)
      await listener.query(`listen ${pg.escapeIdentifier(channel)}`)
      // Whoever listens has migrated the schema.
      notifyingTables = await findNotifyingTables(admin)
    },
    /** Whether a statement that writes may fire a trigger that sends notifications. */
    mayNotify: (text: string) => notifyingTables.some((table) => text.includes(table)),
    /** Notifications of what has been committed so far: they come before the answer to a later statement. */
    async takeNotifications(): Promise<Notification[]> {
      if (channels.size === 0) return []
      await listener.query('')
      const taken = heard
      heard = []
      return taken
    },
    /** The sessions that each of these waits for. */
    async blockersOf(pids: number[]): Promise<Map<number, number[]>> {
      const { rows } = await admin.query<{ pid: number; blockers: number[] }>({
        name: 'blockers',
        text: 'select pid, pg_blocking_pids(pid) as blockers from unnest($1::int[]) as pid',
        values: [pids],
      })
      return new Map(rows.map(({ pid, blockers }) => [pid, blockers]))
    },
    /** The session's socket is closed when it is gone, and its locks with it. */
    terminate(pid: number) {
      signal(pid, 'SIGTERM')
      signal(pid, 'SIGCONT')
    },
    async cancel(pid: number) {
      await admin.query('select pg_cancel_backend($1)', [pid])
      signal(pid, 'SIGCONT')
    },
    /**
     * Stops a session that waits for a lock. Of several that a commit releases only one runs at a time: which of them is first
     * would be a matter of chance.
     */
    freeze: (pid: number) => signal(pid, 'SIGSTOP'),
    thaw: (pid: number) => signal(pid, 'SIGCONT'),
    /** For sessions that begin from now on. */
    setReadOnly: (isReadOnly: boolean) =>
      admin.query(
        `alter database ${database} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
      ),
    async stop() {
      await Promise.all([maintenance.end(), admin.end(), listener.end()])
      await embedded.stop()
    },
  }
}
export type Server = Awaited<ReturnType<typeof startServer>>

/** Tables whose triggers send notifications. */
async function findNotifyingTables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    select distinct relname as name from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
      where prosrc like '%pg_notify%' order by 1`)
  return rows.map(({ name }) => name)
}

/** A session that has ended meanwhile needs none. */
function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {}
}
