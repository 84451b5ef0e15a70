/** Sessions with the server: waits until it is ready, and creates the application's database. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { superuser } from './cluster.ts'
import { launchMark, port } from './settings.ts'

/** The application's database user: owns its database, not the server. */
export const appUser = 'ramal'

/** The application_name of a process: it distinguishes processes on one server. */
export const appNameOf = (pid: number | string) => `ramal ${pid}`
export const appName = appNameOf(process.pid)

/**
 *   ready       answered `select 1`
 *   gone        the process ended
 *   silent      no word from its socket
 *   recovering  still replaying its log
 */
export type Readiness = 'ready' | 'gone' | 'silent' | 'recovering'

const silenceLimit = 30_000
const recoveryLimit = 120_000

/** The socket accepts connections before the server does: only an answered query counts. */
export async function awaitReady(socketFolder: string, isAlive: () => boolean): Promise<Readiness> {
  const began = Date.now()
  for (;;) {
    const answer = await ask(socketFolder)
    if (answer === 'ready') return 'ready'
    if (!isAlive()) return 'gone'
    const waited = Date.now() - began
    if (waited > (answer === 'recovering' ? recoveryLimit : silenceLimit)) return answer
    // Each question refused is a line in the server's log: a long recovery is asked less often.
    await sleep(Math.min(10 + waited / 20, 500))
  }
}

/** One question, one answer; errors that waiting does not cure are thrown. */
export async function ask(socketFolder: string): Promise<'ready' | 'silent' | 'recovering'> {
  try {
    await withSession(socketFolder, (session) => session.query('select 1'))
    return 'ready'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '57P03') return 'recovering'
    // Five digits or letters: the server's own refusal.
    if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E') && !code.startsWith('57P')) throw error
    return 'silent'
  }
}

export async function readMark(socketFolder: string): Promise<string | null> {
  return await withSession(socketFolder, async (session) => {
    const { rows } = await session.query<{ mark: string | null }>(
      `select current_setting('${launchMark}', true) as mark`,
    )
    return rows[0]?.mark ?? null
  })
}

const goodbyeLimit = 2_000

/** Whether a process other than `self` works on the server. A session that was just closed may be seen a moment longer. */
export async function isUsedByOthers(socketFolder: string, self: string): Promise<boolean> {
  const others = `select from pg_stat_activity
    where application_name ~ '^ramal [0-9]+' and application_name !~ '^${self}( |$)'`
  for (const began = Date.now(); Date.now() - began < goodbyeLimit; await sleep(50)) {
    const found = await withSession(socketFolder, (session) => session.query(others))
    if (found.rowCount === 0) return false
  }
  return true
}

const alreadyThere = ['42710', '42P04', '23505']

export async function ensureDatabase(socketFolder: string, database: string): Promise<void> {
  await withSession(socketFolder, async (session) => {
    const found = await session.query('select 1 from pg_database where datname = $1', [database])
    if (found.rowCount) return
    const create = async (statement: string) => {
      try {
        await session.query(statement)
      } catch (error) {
        // Another process was quicker.
        if (!(error instanceof pg.DatabaseError) || !alreadyThere.includes(error.code ?? '')) throw error
      }
    }
    await create(`create role ${appUser} login createdb in role pg_monitor`)
    await create(`create database ${pg.escapeIdentifier(database)} owner ${appUser}`)
  })
}

async function withSession<T>(host: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({
    host,
    port,
    user: superuser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: 'ramal launcher',
  })
  session.on('error', () => {})
  try {
    await session.connect()
    return await work(session)
  } finally {
    await session.end().catch(() => {})
  }
}
