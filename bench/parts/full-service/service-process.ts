/** The whole service in a process that reports its own figures; the engine is the real one, or the fake for thousands of calls. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine, type Script } from '../../../src/engine/fake.ts'
import type { ExtensionName } from '../../../src/engine/port.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { answerParent } from '../ask.ts'
import { collectGarbage } from '../garbage.ts'
import { memoryOf } from '../process-figures.ts'
import { readTables, tableFigures } from '../soak/tables.ts'
import { createTally } from '../tally.ts'

const whole: Script = () => [
  'rings',
  'picksUp',
  'progresses',
  'answers',
  { ends: 'NORMAL_CLEARING', by: 'extension' },
]

/**
 * How long the calls of `priced call` are said to have lasted: within the minute that is reserved at first, since the
 * reservation of a longer call is extended while it lasts.
 */
const talkMs = 59_000
/** Between two events of a call: long enough for each to be stored by itself. */
const apartMs = 50

/** Added to the time of the fake engine. */
let shiftMs = 0

const acts: ((callId: string) => void)[] = [
  (callId) => fake?.ring(callId),
  (callId) => fake?.pickUp(callId),
  (callId) => fake?.progress(callId),
  (callId) => fake?.answer(callId),
  (callId) => {
    shiftMs = talkMs
    fake?.end(callId, 'NORMAL_CLEARING', 'extension')
    shiftMs = 0
  },
]

const priced: Script = ({ callId }) => {
  for (const act of acts) act(callId)
  return []
}

const apart: Script = ({ callId }) => {
  for (const [index, act] of acts.entries()) setTimeout(() => act(callId), index * apartMs)
  return []
}

const scripts = {
  'rings only': (): ReturnType<Script> => ['rings'],
  'whole life': whole,
  'priced call': priced,
  'priced call, events apart': apart,
}

let statements = 0
countStatements()

/** Every statement is a round trip. */
function countStatements() {
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function countAndQuery(this: pg.Client, ...args: unknown[]) {
    statements += 1
    return Reflect.apply(query, this, args)
  } as typeof query
}

/** Between two extensions of the credit. */
const pauseMs = 20

let fake: FakeEngine | undefined
const useFake = process.argv[2] === 'fake'

const config = readConfig(process.env)
const spool = join(config.dataDir, 'spool')

const app = await startApp(config, {
  ...(useFake && {
    engine: (host) => {
      fake = createFakeEngine(host, {
        timers: systemTimers,
        now: () => new Date(Date.now() + shiftMs),
      })
      return fake
    },
  }),
})

/** Connections, row counts and sizes of the database. */
async function readDatabase() {
  const { rows } = await sql<Record<string, number>>`select
      (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
      (select count(*) from calls where ended_at is null)::int as live_call_rows,
      (select count(*) from calls)::int as call_rows,
      (select count(*) from deliveries where settled_at is null)::int as waiting_deliveries,
      (select count(*) from registrations)::int as registration_rows,
      (select count(*) from access_tokens)::int as token_rows,
      (pg_database_size(current_database()) / 1e6)::float8 as database_mb,
      ((pg_current_wal_lsn() - '0/0'::pg_lsn) / 1e6)::float8 as wal_mb`.execute(app.services.base.store.db)
  return rows[0] ?? {}
}

/** Bytes of each table with its indexes and partitions, after vacuum, and of all WAL so far. */
async function readSizes() {
  const { db } = app.services.base.store
  await sql`vacuum`.execute(db)
  const tables = await readTables(db)
  const { call_rows: calls = 0, wal_mb: wal = 0 } = await readDatabase()
  return { calls, wal: wal * 1e6, bytes: Object.fromEntries(tables.map(({ name, bytes }) => [name, bytes])) }
}

function countHandles(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) {
    const name = `handle_${kind}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

let accounts = 0

const work = {
  /** A new account, with tokens of its ADMIN and of a USER. */
  async openAccount() {
    const { accounts: made, users, base } = app.services
    const name = `guest-${++accounts}`
    const person = { password: 'correct horse battery', phone: '+55 48 3333-4444' }
    const { account, more } = await made.signups.createActive({
      ...person,
      organizationName: name,
      domain: `${name}${config.accountDomainSuffix}`,
      email: `admin@${name}.example`,
      crm: 'Outros',
      userQuantity: '1-5',
    })
    const caller = await users.callers.find(more.id)
    if (!caller) throw new Error('a new token is unknown')
    const email = `user@${name}.example`
    const user = await users.users.create(caller, { ...person, name: 'Ana', email, role: 'USER' })
    const { id } = await users.tokens.issue(base.db, user.id, { ttl: -1 })
    return { domain: account.domain, admin: more.id, user: id }
  },
  /** Registers phones at the fake engine. */
  async register(extensions: ExtensionName[]) {
    await Promise.all(extensions.map((extension) => fake?.register(extension)))
  },
  /** Sets what happens to calls at the fake engine. */
  behave: (name: keyof typeof scripts) => fake?.behave(scripts[name]),
  /** Live calls of the account. */
  async liveCalls(domain: string): Promise<number> {
    const { rows } = await sql<{ calls: number }>`
      select count(*)::int as calls from calls where ended_at is null and domain = ${domain}`.execute(
      app.services.base.store.db,
    )
    return rows[0]?.calls ?? 0
  },
  async endAll() {
    for (const callId of app.voice?.node.engine.liveCalls() ?? []) app.voice?.node.engine.hangUp(callId)
    await app.voice?.node.events.drained(60_000)
  },
  /** Waits until every call has ended by itself, and is stored. */
  async allEnded() {
    while ((app.voice?.node.engine.liveCalls().length ?? 0) > 0) await sleep(5)
    await app.voice?.node.events.drained(60_000)
  },
  /** Statements sent and bytes of WAL written so far. */
  async costs() {
    const sent = statements
    const { rows } = await sql<{ bytes: number }>`
      select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`.execute(
      app.services.base.store.db,
    )
    return { statements: sent, walBytes: rows[0]?.bytes ?? 0 }
  },
  /** Reserves a second more for a live call, again and again; returns the slowest hundredth in milliseconds. */
  async extendCredit({ callId, seconds }: { callId: string; seconds: number }): Promise<number> {
    const { base, money } = app.services
    const { account_id: accountId } = await base.db
      .selectFrom('calls')
      .select('account_id')
      .where('id', '=', callId)
      .executeTakeFirstOrThrow()
    const tally = createTally()
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const began = performance.now()
      await money.credit.extend([{ callId, accountId, talkSeconds: 100 + tally.count() }])
      tally.add(200, performance.now() - began)
      await sleep(pauseMs)
    }
    return tally.close(seconds).p99
  },
  /** In MB, after a garbage collection: what is in use, with buffers, and what the process holds. */
  async memory() {
    await collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return { used: (heapUsed + external) / 1e6, rss: memoryOf(process.pid).rss }
  },
  sizes: readSizes,
  /** Memory is read after a garbage collection. */
  async figures(): Promise<Record<string, number>> {
    const database = await readDatabase()
    const tables = await readTables(app.services.base.store.db)
    await collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return {
      rss_mb: memoryOf(process.pid).rss,
      heap_mb: heapUsed / 1e6,
      external_mb: external / 1e6,
      open_files: readdirSync('/proc/self/fd').length,
      spooled_files: readdirSync(spool).length,
      ...countHandles(),
      ...app.voice?.node.engine.metrics(),
      ...database,
      ...tableFigures(tables),
    }
  },
}
export type ServiceWork = typeof work

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.stop().then(() => process.exit()))
}
answerParent(work)
