/** Inserts calls directly into the database. */
import type { Insertable, Updateable } from 'kysely'
import { uuidv7 } from '../../../src/kit/ids.ts'
import type { Database } from '../../../src/store/database.ts'
import type { Tables } from '../../../src/store/tables.ts'

type Row = Insertable<Tables['calls']>
export type CallFields = Partial<Omit<Row, 'metadata'>> & { metadata?: unknown }

const noon = new Date('2026-11-15T12:00:00.000Z')

/** An ended, unanswered call unless `fields` say otherwise. */
function callRow(accountId: number, { metadata = {}, ...fields }: CallFields = {}): Row {
  const startedAt = new Date(fields.started_at ?? noon)
  return {
    id: uuidv7(startedAt),
    account_id: accountId,
    domain: 'padaria.ramal.localhost',
    call_type: 'outbound',
    status: 'no_answer',
    from_number: '1000',
    to_number: '5548999998888',
    caller_number: '554833334444',
    first_name: 'Ana',
    last_name: 'Souza',
    email: 'ana@padaria.example',
    record: false,
    started_at: startedAt,
    ended_at: startedAt,
    hangup_cause: 'NO_ANSWER',
    duration: 0,
    node: 'node',
    alive_at: startedAt,
    ...fields,
    metadata: JSON.stringify(metadata),
  }
}

/** A live call. */
export const live = (status: 'queued' | 'ringing' | 'connecting' | 'answered'): CallFields => ({
  status,
  ended_at: null,
  hangup_cause: null,
})

export async function insertCalls(db: Database, accountId: number, calls: CallFields[]): Promise<string[]> {
  const rows = calls.map((fields) => callRow(accountId, fields))
  if (rows.length > 0) await db.insertInto('calls').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** As the voice module or another process changes it. */
export async function changeCall(db: Database, id: string, change: Updateable<Tables['calls']>) {
  await db.updateTable('calls').set(change).where('id', '=', id).execute()
}

/** As the retention of calls does. */
export async function removeCall(db: Database, id: string) {
  await db.deleteFrom('calls').where('id', '=', id).execute()
}

/** Nobody else changes the call as long as `work` lasts. */
export async function whileCallLocked(db: Database, id: string, work: () => Promise<void>) {
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('calls').select('id').where('id', '=', id).forUpdate().execute()
    await work()
  })
}

export async function accountIdOf(db: Database, domain: string): Promise<number> {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  return id
}

/** An account without users. */
export async function insertAccount(
  db: Database,
  fields: Partial<Insertable<Tables['accounts']>> = {},
): Promise<number> {
  const uuid = crypto.randomUUID()
  const { id } = await db
    .insertInto('accounts')
    .values({
      uuid,
      domain: `${uuid}.ramal.localhost`,
      name: 'Padaria',
      email: `${uuid}@padaria.example`,
      phone: '554833334444',
      crm: 'Outros',
      user_quantity: '1-5',
      time_zone: 'America/Sao_Paulo',
      activated_at: noon,
      created_at: noon,
      updated_at: noon,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
