/** SQL of mail waiting to be sent. */
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { type QueueState, selectQueueState } from '../store/queue-state.ts'
import type { Tables } from '../store/tables.ts'

export async function insertMail(tx: Database, row: Insertable<Tables['mails']>) {
  await tx.insertInto('mails').values(row).execute()
}

/** Claims due mail until the lease ends; if the process dies, another claims it then. */
export async function claimMails(db: Database, now: Date, leaseUntil: Date, limit: number) {
  return await db
    .updateTable('mails')
    .set({ next_at: leaseUntil, attempts: sql`attempts + 1` })
    .where('id', 'in', (mails) =>
      mails
        .selectFrom('mails')
        .select('id')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'recipient', 'subject', 'body', 'attempts'])
    .execute()
}
export type ClaimedMail = Awaited<ReturnType<typeof claimMails>>[number]

export async function updateMail(db: Database, id: number, change: Updateable<Tables['mails']>) {
  await db.updateTable('mails').set(change).where('id', '=', id).execute()
}

/** The newest mails whose body is kept. */
export async function readMails(db: Database, limit: number) {
  return await db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'body', 'created_at'])
    .where('body', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteOldMails(db: Database, before: Date) {
  await deleteInBatches(db, { table: 'mails', column: 'created_at', before })
}

export async function readMailQueue(db: Database): Promise<QueueState> {
  return await db
    .selectFrom('mails')
    .select(selectQueueState('created_at'))
    .where('next_at', 'is not', null)
    .executeTakeFirstOrThrow()
}

/** Mails that could not be sent, the newest first; `isGivenUp`: they are not tried again. */
export async function readMailFailures(db: Database, since: Date, limit: number) {
  return await db
    .selectFrom('mails')
    .select([
      'recipient',
      'last_error as error',
      'created_at as at',
      sql<boolean>`next_at is null`.as('isGivenUp'),
    ])
    .where('created_at', '>=', since)
    .where('sent_at', 'is', null)
    .where('last_error', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}
