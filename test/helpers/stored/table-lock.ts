/** A table that a test locks, so that requests wait for it. */
import pg from 'pg'
import { waitingForTable } from '../run/test-database.ts'

/** Requests that wait: those that write, while others read on, or all that use the table. */
type Locked = 'writers' | 'everybody'

/** Locked from here on. */
export async function lockTable(url: string, table: string, locked: Locked = 'everybody') {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const mode = locked === 'writers' ? 'exclusive' : 'access exclusive'
  await client.query(`begin; lock table ${table} in ${mode} mode`)
  return {
    /** How many sessions wait for it. */
    waiting: async () => (await client.query(waitingForTable)).rowCount,
    /** Breaks the connections of those that wait. */
    async breakWaiting() {
      await client.query(`select pg_terminate_backend(pid) from (${waitingForTable}) as stuck`)
    },
    async unlock() {
      await client.query('rollback')
      await client.end()
    },
  }
}

/** The table is locked as long as `work` lasts. */
export async function whileLocked(
  url: string,
  table: string,
  work: (lock: Awaited<ReturnType<typeof lockTable>>) => Promise<void>,
) {
  const lock = await lockTable(url, table)
  try {
    await work(lock)
  } finally {
    await lock.unlock()
  }
}
