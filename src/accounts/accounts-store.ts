/** SQL of the accounts table. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { Account } from './account.ts'

const columns = [
  'id',
  'uuid',
  'domain',
  'name',
  'email',
  'phone',
  'time_zone',
  'language',
  'call_visibility',
  'created_at',
  'updated_at',
] as const

function toAccount(row: Pick<Selectable<Tables['accounts']>, (typeof columns)[number]>): Account {
  const { time_zone, call_visibility, created_at, updated_at, ...rest } = row
  return {
    ...rest,
    timeZone: time_zone,
    callVisibility: call_visibility,
    createdAt: created_at,
    updatedAt: updated_at,
  }
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

export async function hasDomain(db: Database, domain: string): Promise<boolean> {
  const row = await db.selectFrom('accounts').select('id').where('domain', '=', domain).executeTakeFirst()
  return row !== undefined
}

/** Returns the domain of the account activated now; undefined if it was active before. */
export async function activateAccount(db: Database, id: number, now: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('accounts')
    .set({ activated_at: now, updated_at: now })
    .where('id', '=', id)
    .where('activated_at', 'is', null)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain
}

/** Deletes accounts created before `before` and never confirmed, with everything they own; only those that hold the domain or e-mail, if given. */
export async function deleteUnconfirmed(
  db: Database,
  before: Date,
  holding?: { domain: string; email: string },
) {
  let unconfirmed = db
    .deleteFrom('accounts')
    .where('activated_at', 'is', null)
    .where('created_at', '<', before)
  if (holding) {
    unconfirmed = unconfirmed.where((account) =>
      account.or([
        account('domain', '=', holding.domain),
        account('id', 'in', (users) =>
          users.selectFrom('users').select('account_id').where('email', '=', holding.email),
        ),
      ]),
    )
  }
  await unconfirmed.execute()
}
