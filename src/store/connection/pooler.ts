/**
 * D261: PostgreSQL is used directly. A pooler in between (PgBouncer) either drops the limits of our sessions or gives one
 * session to several clients, which breaks notices, advisory locks and prepared statements. Each process has pools of
 * its own, so a pooler would save nothing.
 */
import type pg from 'pg'
import { defaultStatementTimeoutMs } from '../database.ts'

export class PoolerRefusal extends Error {
  override name = 'PoolerRefusal'
}

const advice =
  'Let DATABASE_URL name PostgreSQL itself: each process has pools of its own (DATABASE_POOL, DATABASE_CALL_POOL, DATABASE_SEARCH_POOL)'

type Session = { pid: number; timeout: string }

/**
 * Throws if what answers is not PostgreSQL itself. It opens two connections of the pool and closes them: connections from
 * before `watchConnections` would never be replaced when they die silently (D223).
 */
export async function refusePooler(pool: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = []
  try {
    // Both are open at once: two clients of PostgreSQL have two servers.
    clients.push(await pool.connect(), await pool.connect())
    const sessions: Session[] = []
    for (const client of clients) {
      const { rows } = await client.query<Session>(
        `select pg_backend_pid() as pid, setting as timeout from pg_settings where name = 'statement_timeout'`,
      )
      sessions.push(...rows)
    }
    const [first, second] = sessions
    if (first?.pid === second?.pid) {
      throw new PoolerRefusal(
        `There is a pooler (such as PgBouncer) in front of the database that shares one session among clients. ${advice}.`,
      )
    }
    if (first?.timeout !== String(defaultStatementTimeoutMs)) {
      throw new PoolerRefusal(
        `There is a pooler (such as PgBouncer) in front of the database that drops the settings of our sessions. ${advice}.`,
      )
    }
  } catch (error) {
    throw isRefusedStart(error)
      ? new PoolerRefusal(
          `There is a pooler (such as PgBouncer) in front of the database that refuses the settings of our sessions. ${advice}.`,
          { cause: error },
        )
      : error
  } finally {
    for (const client of clients) client.release(true)
  }
}

/** PgBouncer's answer to a setting that it does not know. */
function isRefusedStart(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}
