/** Calls put straight into the database, as if they had been made. */
import type { Insertable } from 'kysely'
import { uuidv7 } from '../../src/kit/ids.ts'
import type { Database } from '../../src/store/database.ts'
import type { Tables } from '../../src/store/tables.ts'

type Row = Insertable<Tables['calls']>
export type CallWish = Partial<Omit<Row, 'metadata'>> & { metadata?: unknown }

const noon = new Date('2026-11-15T12:00:00.000Z')

/** Ended and unanswered unless it says otherwise. */
function callRow(accountId: number, { metadata = {}, ...wish }: CallWish = {}): Row {
  const startedAt = new Date(wish.started_at ?? noon)
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
    ...wish,
    metadata: JSON.stringify(metadata),
  }
}

/** A call that still goes on. */
export const live = (status: 'queued' | 'ringing' | 'connecting' | 'answered'): CallWish => ({
  status,
  ended_at: null,
  hangup_cause: null,
})

export async function insertCalls(db: Database, accountId: number, wishes: CallWish[]): Promise<string[]> {
  const rows = wishes.map((wish) => callRow(accountId, wish))
  if (rows.length > 0) await db.insertInto('calls').values(rows).execute()
  return rows.map(({ id }) => id)
}

export async function accountIdOf(db: Database, domain: string): Promise<number> {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  return id
}

/** An account that nobody logs in to. */
export async function insertAccount(db: Database): Promise<number> {
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
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
