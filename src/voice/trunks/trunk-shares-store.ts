/** SQL of the shares that nodes have of trunks. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'

/** Share of one node in a trunk; an empty name if the node has none. */
export type ShareRow = {
  trunk: string
  channelsUsed: number
  channels: number
  rateUsed: number
  rate: number
}

const written = defineUnnest<ShareRow>('share', {
  trunk: ['text', ({ trunk }) => trunk],
  channels_used: ['int', ({ channelsUsed }) => channelsUsed],
  channels: ['int', ({ channels }) => channels],
  rate_used: ['double precision', ({ rateUsed }) => rateUsed],
  rate: ['double precision', ({ rate }) => rate],
})

/** One node at a time decides, so that two never take the same channel. Held until the transaction ends. */
export async function lockShares(tx: Database) {
  await sql`select pg_advisory_xact_lock(hashtext('ramal trunk shares'))`.execute(tx)
}

/** Shares of the other living voice nodes. A node without rows has one with nulls; older versions know no shares. */
export async function readOtherShares(
  tx: Database,
  node: string,
): Promise<({ node: string } & (ShareRow | { trunk: null }))[]> {
  const { rows } = await sql<{ node: string } & ShareRow>`
    select voice_nodes.id as node, trunk, channels_used as "channelsUsed", channels, rate_used as "rateUsed", rate
    from voice_nodes left join trunk_shares on trunk_shares.node = voice_nodes.id
    where voice_nodes.id <> ${node} and lease_until > now() and 'voice' = any(roles) and version is not null`.execute(
    tx,
  )
  return rows
}

export async function writeShares(tx: Database, node: string, shares: ShareRow[]) {
  await sql`
    insert into trunk_shares (node, trunk, channels_used, channels, rate_used, rate)
    select ${node}, share.trunk, share.channels_used, share.channels, share.rate_used, share.rate
    from ${written.sql(shares)}
    on conflict (node, trunk) do update set channels_used = excluded.channels_used, channels = excluded.channels,
      rate_used = excluded.rate_used, rate = excluded.rate`.execute(tx)
}

export async function deleteShares(db: Database, node: string) {
  await db.deleteFrom('trunk_shares').where('node', '=', node).execute()
}
