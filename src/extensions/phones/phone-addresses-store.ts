/** SQL of the addresses at which phones have authenticated (D181). */
import { sql } from 'kysely'
import type { ExtensionName } from '../../engine/port.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'

export type PhoneAddresses = { extension: ExtensionName; blocks: readonly string[] }

const given = defineUnnest<PhoneAddresses>('given', {
  domain: ['text', ({ extension }) => extension.domain],
  number: ['text', ({ extension }) => extension.number],
  blocks: ['text', ({ blocks }) => blocks.join(' ')],
})

/** Each extension once. In id order, so no deadlock. */
export async function putPhoneAddresses(db: Database, rows: readonly PhoneAddresses[]) {
  await sql`
    insert into phone_addresses (extension_id, blocks)
    select extensions.id, string_to_array(given.blocks, ' ') from ${given.sql(rows)}
    join accounts on accounts.domain = given.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = given.number
    order by extensions.id
    on conflict (extension_id) do update set blocks = excluded.blocks`.execute(db)
}
