/** Inserts millions of calls, over two years unless said otherwise; indexes are dropped first and created afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createCallCounts } from '../../src/calls/list/counts/call-counts.ts'
import { createCallStatistics } from '../../src/calls/statistics/call-statistics.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { withSession } from '../../src/store/backup/dump.ts'
import type { Connection, Database } from '../../src/store/database.ts'
import { openStore } from '../../src/store/open-store.ts'
import { dataDirOf } from './service.ts'

export const extensions = 100
export const campaigns = 20
export const destinations = 10_000_000
export const days = 730
const firstNames = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gilda', 'Hugo', 'Inês', 'João']
const lastNames = ['Souza', 'Silva', 'Lima', 'Costa', 'Rocha', 'Alves', 'Dias']
const emails = 500
const callerNumbers = 200

type AccountToSeed = {
  domain: string
  calls: number
  /** The start of its last call; an hour ago if it is absent. */
  newest?: Date
  /** Length of a text in the metadata, `y`, besides the usual keys. */
  metadataBytes?: number
  /** Over which they are spread. */
  spanDays?: number
  /** False where no benchmark searches for values: most of the time goes there. */
  indexValues?: boolean
}

const batchSize = 250_000
/** Connections that insert. */
const writers = 2

export async function seedCalls(folder: string, accounts: AccountToSeed[]) {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 4 }
  const { connection, db, close } = await openStore(where, createLog('silent'))
  try {
    await withSession(connection, async (client) => {
      await client.query(`set maintenance_work_mem = '1GB'`)
      const restore = [...(await strip(client, 'calls')), ...(await strip(client, 'call_values'))]
      await insertAll(connection, accounts)
      for (const statement of restore) await client.query(statement)
      await client.query('vacuum analyze calls, call_values')
      await countAhead(db)
      await client.query('vacuum analyze call_counts, call_figures')
    })
  } finally {
    await close()
  }
}

async function insertAll(connection: Connection, accounts: AccountToSeed[]) {
  const batches = accounts.flatMap((account) =>
    Array.from({ length: Math.ceil(account.calls / batchSize) }, (_, index) => ({
      account,
      first: 1 + index * batchSize,
    })),
  )
  const write = () =>
    withSession(connection, async (client) => {
      await client.query('set synchronous_commit = off')
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        await insert(client, batch.account, batch.first)
      }
    })
  await Promise.all(Array.from({ length: writers }, write))
}

/** As the jobs of the service do, which run beside each other as well. */
async function countAhead(db: Database) {
  const figures = createCallStatistics({ db })
  let isCounting = true
  const counted = createCallCounts({ db, clock: systemClock })
    .tick()
    .finally(() => {
      isCounting = false
    })
  while (isCounting) {
    await figures.tick()
    await sleep(1_000)
  }
  await counted
  await figures.tick()
}

/**
 * Drops constraints and indexes, which are slow to update row by row; returns the statements that restore them. Foreign
 * keys to the table go before its primary key, and come back after it.
 */
async function strip(client: pg.Client, table: string): Promise<string[]> {
  const read = async (query: string) =>
    (await client.query<{ drop: string; make: string }>(query, [table])).rows
  const rules = await read(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where conrelid = $1::regclass and contype in ('p', 'f') or confrelid = $1::regclass
    order by contype`)
  const indexes = await read(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index where indrelid = $1::regclass and not indisprimary`)
  await client.query(`alter table ${table} disable trigger user`)
  for (const { drop } of [...rules, ...indexes]) await client.query(drop)
  const restore = [...indexes, ...rules.toReversed()].map(({ make }) => make)
  return [...restore, `alter table ${table} enable trigger user`]
}

async function insert(client: pg.Client, account: AccountToSeed, first: number) {
  const { domain, calls, metadataBytes = 0, spanDays = days, indexValues = true } = account
  const { newest = new Date(Date.now() - 3_600_000) } = account
  await client.query(
    `with made as (
       insert into calls (id, account_id, domain, call_type, status, from_number, to_number, caller_number,
         first_name, last_name, email, record, started_at, ringing_at, connecting_at, answered_at, ended_at,
         duration, hangup_cause, ended_by, minute_price, call_price, metadata, node, alive_at)
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(random, 1, 3)
           || '8' || substr(random, 4, 15))::uuid,
         accounts.id, domain, 'outbound', case when answered then 'completed' else 'no_answer' end,
         (1000 + n * 7919 % ${extensions})::text, '55489' || lpad((n % ${destinations})::text, 8, '0'),
         '5548333' || lpad((n * 7907 % ${callerNumbers})::text, 5, '0'),
         ('{${firstNames.join(',')}}'::text[])[1 + n * 7901 % ${firstNames.length}],
         ('{${lastNames.join(',')}}'::text[])[1 + n * 7883 % ${lastNames.length}],
         'person' || n * 7877 % ${emails} || '@example.com', false, at, at, at,
         case when answered then at + interval '9 s' end, at + interval '60 s',
         case when answered then 5 + n * 7873 % 600 else 0 end,
         case when answered then 'NORMAL_CLEARING' when n % 50 = 0 then 'USER_BUSY' else 'NO_ANSWER' end, 'extension',
         case when answered then 1000 end, case when answered then n * 7873 % 200 else 0 end,
         jsonb_build_object('lead_id', n, 'campaign', 'campaign ' || n % ${campaigns}, 'agent', 'agent ' || n * 7919 % 100)
           || case when $5::int > 0 then jsonb_build_object('y', left(repeat(random, $5 / 32 + 1), $5)) else '{}' end,
         'node', at
       from accounts, generate_series($2::bigint, $3::bigint) as n,
         lateral (select n % 3 <> 0 as answered, md5(accounts.id || '/' || n) as random, date_trunc('milliseconds',
           $6::timestamptz - (1 - n::float8 / $4) * interval '${spanDays} days') as at) as made
       where domain = $1
       returning account_id, id, started_at, first_name, last_name, email, caller_number, to_number, metadata),
     named as (
       insert into caller_values (account_id, field, value)
       select distinct account_id, field, value from made, lateral (values ('first_name', first_name),
         ('last_name', last_name), ('email', email), ('caller_number', caller_number)) as given (field, value)
       on conflict do nothing)
     insert into call_values (key, started_at, call_id)
     select key, started_at, id from made, unnest(call_search_keys(account_id, metadata)
       || caller_search_keys(account_id, first_name, last_name, email, caller_number)
       || destination_search_key(account_id, to_number)) as key
     where $7`,
    [domain, first, Math.min(calls, first + batchSize - 1), calls, metadataBytes, newest, indexValues],
  )
}
