/** SQL of accounts. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { Account } from './account.ts'

const columns = ['id', 'uuid', 'domain', 'name', 'email', 'phone', 'created_at', 'updated_at'] as const

function toAccount(row: Pick<Selectable<Tables['accounts']>, (typeof columns)[number]>): Account {
  const { created_at, updated_at, ...rest } = row
  return { ...rest, createdAt: created_at, updatedAt: updated_at }
}

export async function readAccount(db: Database, id: number): Promise<Account> {
  const row = await db.selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
  return toAccount(row)
}

export async function insertAccount(db: Database, row: Insertable<Tables['accounts']>): Promise<Account> {
  return toAccount(await db.insertInto('accounts').values(row).returning(columns).executeTakeFirstOrThrow())
}

export async function updateAccount(
  db: Database,
  id: number,
  change: Updateable<Tables['accounts']>,
): Promise<Account> {
  const row = await db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** Which of the two somebody has already. */
export async function findTaken(db: Database, domain: string, email: string) {
  const account = await db.selectFrom('accounts').select('id').where('domain', '=', domain).executeTakeFirst()
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return { domain: account !== undefined, email: user !== undefined }
}

/** Removes accounts that were made before `before` and never confirmed, with all that is theirs. */
export async function deleteUnconfirmed(
  db: Database,
  before: Date,
  claimed?: { domain: string; email: string },
) {
  let lapsed = db.deleteFrom('accounts').where('activated_at', 'is', null).where('created_at', '<', before)
  if (claimed) {
    lapsed = lapsed.where((account) =>
      account.or([
        account('domain', '=', claimed.domain),
        account('id', 'in', (users) =>
          users.selectFrom('users').select('account_id').where('email', '=', claimed.email),
        ),
      ]),
    )
  }
  await lapsed.execute()
}
