/** Inserts many users into the database of the service that runs in a folder. */
import { createLog } from '../../src/kit/process/log.ts'
import { openStore } from '../../src/store/open-store.ts'
import { dataDirOf, type Service } from './service.ts'

const batchSize = 10_000

export const emailOf = (account: string, number: number) =>
  `user${String(number).padStart(6, '0')}@${account}.example`

/** Users 1 to `count` of the account whose ADMIN is `adminEmail`; they share the ADMIN's password. */
export async function seedUsers(
  { folder }: Pick<Service, 'folder'>,
  account: string,
  adminEmail: string,
  count: number,
) {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 2 }
  const { pool, close } = await openStore(where, createLog('silent'))
  try {
    for (let first = 1; first <= count; first += batchSize) {
      await pool.query(
        `insert into users (uuid, account_id, name, email, phone, role, password_hash, email_verified,
           created_at, updated_at)
         select gen_random_uuid(), account_id, 'Pessoa ' || number,
           'user' || lpad(number::text, 6, '0') || '@' || $1 || '.example', '48999998888', 'USER',
           password_hash, true, created_at + number * interval '1 second', created_at
         from users, generate_series($2::int, $3::int) as number
         where email = $4`,
        [account, first, Math.min(count, first + batchSize - 1), adminEmail],
      )
    }
    // Autovacuum would do this a minute later; query plans depend on it.
    await pool.query('vacuum analyze users')
  } finally {
    await close()
  }
}
