/** Inserts millions of calls, over two years unless said otherwise; indexes are dropped first and created afterwards. */
import type pg from 'pg'
import { createCallFigures } from '../../src/calls/figures/call-figures.ts'
import { createCallCounts } from '../../src/calls/list/call-counts.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createLog } from '../../src/kit/log.ts'
import { withSession } from '../../src/store/backup/dump.ts'
import type { Database } from '../../src/store/database.ts'
import { openStore } from '../../src/store/open-store.ts'
import { dataDirOf } from './service.ts'

export const extensions = 100
export const campaigns = 20
export const destinations = 10_000_000
export const days = 730

/** The start of the call at `share` (0 to 1) of the two years; the newest call is an hour old. */
export const startOf = (share: number) => new Date(Date.now() - 3_600_000 - (1 - share) * days * 86_400_000)

type AccountToSeed = {
  domain: string
  calls: number
  /** Of a text in the metadata, `y`, besides the usual keys. */
  metadataBytes?: number
  /** Over which they are spread. */
  spanDays?: number
}

/** Values in metadata are not indexed for a benchmark that does not search them: most of the time goes there. */
type Options = { indexMetadata?: boolean }

const batchSize = 1_000_000

export async function seedCalls(
  folder: string,
  accounts: AccountToSeed[],
  { indexMetadata = true }: Options = {},
) {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 2 }
  const { connection, db, close } = await openStore(where, createLog('silent'))
  try {
    await withSession(connection, (client) => seed(client, db, accounts, indexMetadata))
  } finally {
    await close()
  }
}

async function seed(client: pg.Client, db: Database, accounts: AccountToSeed[], indexMetadata: boolean) {
  await client.query(`set maintenance_work_mem = '512MB'`)
  const restore = [...(await strip(client, 'calls')), ...(await strip(client, 'call_values'))]
  for (const account of accounts) await insert(client, account)
  if (indexMetadata)
    await client.query(`insert into call_values (key, started_at, call_id)
      select key, started_at, id from calls, unnest(call_search_keys(account_id, metadata)) as key`)
  for (const statement of restore) await client.query(statement)
  await client.query('vacuum analyze calls')
  await client.query('vacuum analyze call_values')
  await createCallCounts({ db, clock: systemClock }).tick()
  await client.query('vacuum analyze call_counts')
  await createCallFigures({ db }).tick()
  await client.query('vacuum analyze call_figures')
}

/** Drops constraints and indexes, which are slow to update row by row; returns the statements that restore them. */
async function strip(client: pg.Client, table: string): Promise<string[]> {
  const read = async (query: string) =>
    (await client.query<{ drop: string; make: string }>(query, [table])).rows
  const rules = await read(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where conrelid = $1::regclass and contype in ('p', 'f')`)
  const indexes = await read(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index where indrelid = $1::regclass and not indisprimary`)
  await client.query(`alter table ${table} disable trigger user`)
  for (const { drop } of [...rules, ...indexes]) await client.query(drop)
  return [...rules, ...indexes].map(({ make }) => make).concat(`alter table ${table} enable trigger user`)
}

async function insert(client: pg.Client, account: AccountToSeed) {
  const { domain, calls, metadataBytes = 0, spanDays = days } = account
  for (let first = 1; first <= calls; first += batchSize) {
    await client.query(
      `insert into calls (id, account_id, domain, call_type, status, from_number, to_number, caller_number,
         first_name, last_name, email, record, started_at, ringing_at, connecting_at, answered_at, ended_at,
         duration, hangup_cause, ended_by, metadata, node, alive_at)
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(random, 1, 3)
           || '8' || substr(random, 4, 15))::uuid,
         accounts.id, domain, 'outbound', case when answered then 'completed' else 'no_answer' end,
         (1000 + n * 7919 % ${extensions})::text, '55489' || lpad((n % ${destinations})::text, 8, '0'), '554833334444',
         'Ana', 'Souza', 'ana@example.com', false, at, at, at, case when answered then at + interval '9 s' end,
         at + interval '60 s', case when answered then 51 else 0 end,
         case when answered then 'NORMAL_CLEARING' else 'NO_ANSWER' end, 'extension',
         jsonb_build_object('lead_id', n, 'campaign', 'campaign ' || n % ${campaigns}, 'agent', 'agent ' || n * 7919 % 100)
           || case when $5::int > 0 then jsonb_build_object('y', left(repeat(random, $5 / 32 + 1), $5)) else '{}' end,
         'node', at
       from accounts, generate_series($2::bigint, $3::bigint) as n,
         lateral (select n % 3 <> 0 as answered, md5(accounts.id || '/' || n) as random, date_trunc('milliseconds',
           now() - interval '1 hour' - (1 - n::float8 / $4) * interval '${spanDays} days') as at) as made
       where domain = $1`,
      [domain, first, Math.min(calls, first + batchSize - 1), calls, metadataBytes],
    )
  }
}
