/**
 * What PostgreSQL can do on this machine: one client writes the rows of whole calls with prepared statements, in batches,
 * with one durable commit for the placing and one for the end. The rows are copies of those of a call of the service.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createLog } from '../../../src/kit/process/log.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { dataDirOf } from '../service.ts'

const batchSize = 100

/** Columns of a call that are set after its placing, and what they are before. */
const unset: Record<string, string> = {
  status: `'queued'`,
  ringing_at: 'null',
  connecting_at: 'null',
  answered_at: 'null',
  ended_at: 'null',
  duration: '0',
  hangup_cause: 'null',
  ended_by: 'null',
  minute_price: 'null',
  call_price: 'null',
  pricing: 'null',
}

/** An old live call would be ended as an orphan, and would undo counts of calls. */
const current = {
  started_at: 'clock_timestamp()',
  alive_at: 'clock_timestamp()',
  stamped_at: 'clock_timestamp()',
}

/** Runs the work with a writer of copies of the newest call that has ended. */
export async function withByHand<T>(folder: string, work: (byHand: ByHand) => Promise<T>): Promise<T> {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 1 }
  const { pool, close } = await openStore(where, createLog('silent'))
  const client = await pool.connect()
  try {
    return await work(await createByHand(client))
  } finally {
    client.release(true)
    await close()
  }
}

async function createByHand(client: pg.PoolClient) {
  const statements = await prepare(client)

  async function writeBatch() {
    const ids = Array.from({ length: batchSize }, () => randomUUID())
    for (const texts of [statements.placing, statements.end]) {
      await client.query('begin')
      for (const text of texts) await client.query(text, [ids])
      await client.query('commit')
    }
  }

  /** Calls a second. */
  return async function byHand(seconds: number): Promise<number> {
    let calls = 0
    const began = performance.now()
    while (performance.now() - began < seconds * 1000) {
      await writeBatch()
      calls += batchSize
    }
    return calls / ((performance.now() - began) / 1000)
  }
}
export type ByHand = Awaited<ReturnType<typeof createByHand>>

async function prepare(client: pg.PoolClient) {
  await client.query(`
    create temp table one_call as select * from calls
      where ended_at is not null and call_price > 0 order by started_at desc limit 1;
    create temp table its_events as select events.* from events join one_call on one_call.id = events.call_id;
    create temp table its_deliveries as
      select deliveries.* from deliveries join one_call on one_call.id = deliveries.call_id;
    create temp table its_entry as
      select ledger_entries.* from ledger_entries join one_call on reference = 'call:' || one_call.id;
    create temp table its_reservation as select * from reservations limit 0;
    insert into its_reservation
      select id, account_id, call_price, 60, minute_price, 30, 6, 3, '55', 'Brazil', started_at from one_call;`)
  const copy = async (table: string, from: string, changed: Record<string, string>) => {
    const columns = await columnsOf(client, table)
    const values = columns.map((name) => changed[name] ?? `${from}.${name}`)
    return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
      from ${from}, unnest($1::uuid[]) as given (id)`
  }
  const sets = Object.keys(unset).map((name) => `${name} = one_call.${name}`)
  const writeEvents = await copy('events', 'its_events', {
    call_id: 'given.id',
    subject_id: 'given.id::text',
    position: 'null',
  })
  const deliveryColumns = await columnsOf(client, 'deliveries')
  const deliveryValues = deliveryColumns.map((name) => {
    if (name === 'event_id') return 'event.id'
    return name === 'call_id' ? 'event.call_id' : `its_deliveries.${name}`
  })
  const balance = (change: string) =>
    `update balances set ${change} from one_call where balances.account_id = one_call.account_id`
  const count = 'cardinality($1::uuid[])'
  return {
    placing: [
      balance(`reserved = reserved + call_price * ${count}, day_calls = day_calls + ${count}`),
      await copy('reservations', 'its_reservation', { call_id: 'given.id' }),
      await copy('calls', 'one_call', { ...unset, ...current, id: 'given.id' }),
    ],
    end: [
      `update calls set ${sets.join(', ')} from one_call where calls.id = any($1::uuid[])`,
      'delete from reservations where call_id = any($1::uuid[])',
      balance(`reserved = reserved - call_price * ${count}, balance = balance - call_price * ${count}`),
      await copy('ledger_entries', 'its_entry', { reference: `'call:' || given.id` }),
      `with event as (${writeEvents} returning id, call_id, sequence)
       insert into deliveries (${deliveryColumns.join(', ')})
       select ${deliveryValues.join(', ')} from event join its_deliveries using (sequence)`,
    ],
  }
}

/** Without generated ones. */
async function columnsOf(client: pg.PoolClient, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attidentity = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}
