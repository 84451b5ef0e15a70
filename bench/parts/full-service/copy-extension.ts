/** Thousands of extensions, copied by SQL: a sealed password is bound to its purpose, not to its row. */
import { createLog } from '../../../src/kit/process/log.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { dataDirOf } from '../service.ts'

/** So many extensions in all, numbered from that of the one that is there. */
export async function copyExtension(folder: string, first: number, count: number) {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 2 }
  const { pool, close } = await openStore(where, createLog('silent'))
  try {
    await pool.query(
      `insert into extensions (account_id, number, password, caller_id, caller_number, first_name, last_name, email,
         record_calls, created_at, updated_at, user_id)
       select account_id, number::int + more, password, caller_id, caller_number, first_name, last_name, email,
         record_calls, created_at, updated_at, user_id
       from extensions, generate_series(1, $2::int - 1) as more where number = $1`,
      [String(first), count],
    )
    await pool.query('vacuum analyze extensions')
  } finally {
    await close()
  }
}
