/** D125: told to the webhooks of an account's ADMINs that list it, when the credit runs low; once a crossing. */
import { sql } from 'kysely'
import { lockListenersShared } from '../integrations/integrations-store.ts'
import { uuidv7 } from '../kit/ids.ts'
import { toReais } from '../kit/money.ts'
import type { Database } from '../store/database.ts'

/** In centavos. */
type LowBalance = { accountId: number; balance: number; at: Date }

/** In the transaction that made it low. The deliveries are found by looking, within a second or so. */
export async function announceLowBalance(tx: Database, { accountId, balance, at }: LowBalance) {
  await lockListenersShared(tx, [accountId])
  const account = await tx
    .selectFrom('accounts')
    .select(['uuid', 'domain', 'time_zone'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const id = uuidv7(at)
  const payload = JSON.stringify({
    eventType: 'account-low-balance',
    id,
    domain: account.domain,
    balance: toReais(balance),
    currency: 'BRL',
    at: at.toISOString(),
    metadata: {},
    accountUuid: account.uuid,
    sequence: 1,
    timezone: account.time_zone,
  })
  await sql`
    with listening as (
      select i.id, i.version from integrations i join users u on u.id = i.user_id and u.role = 'ADMIN'
      where i.account_id = ${accountId} and i.webhook and 'account-low-balance' = any(i.event_types)
    ), told as (
      insert into events (account_id, user_id, call_id, sequence, kind, payload, created_at)
      select ${accountId}, null, ${id}, 1, 'account-low-balance', ${payload}, ${at}
      where exists (select from listening)
      returning id, call_id, sequence
    )
    insert into deliveries (integration_id, event_id, call_id, sequence, version, state, next_at, due_since)
    select listening.id, told.id, told.call_id, told.sequence, listening.version, 'pending', ${at}, ${at}
    from told, listening`.execute(tx)
}
