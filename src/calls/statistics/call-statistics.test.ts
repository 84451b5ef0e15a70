/** D324: statistics from figures counted ahead are those that the calls themselves give. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { type CallFields, insertAccount, insertCalls, live } from '../../../test/helpers/service/call-rows.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { lockCounts } from '../list/counts/call-counts-store.ts'
import { readStats, type StatsQuery } from './answers-store.ts'
import { createCallStatistics } from './call-statistics.ts'
import { deleteUnfit, extendFigures, lockFigures } from './statistics-store.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 8, onError: () => {} })
const db = openDatabase(pool)
/** Clocks of São Paulo were set forward that night, so that days and hours of both offsets are there. */
const start = Date.parse('2018-11-03T12:00:00.000Z')
const at = (minute: number) => new Date(start + minute * 60_000)
const hours = 60
const spanMinutes = 36 * hours
let account = 0

beforeEach(async () => {
  account = await insertAccount(db)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

type Arbitrary<A> = A extends fc.Arbitrary<infer T> ? T : never
type Asked = Omit<StatsQuery, 'accountId' | 'timeZone'>

async function zoneOf() {
  const found = db.selectFrom('accounts').select('time_zone').where('id', '=', account)
  return (await found.executeTakeFirstOrThrow()).time_zone
}

const columns = {
  extension: sql`case when call_type = 'inbound' then to_number else from_number end`,
  user: sql`user_uuid::text`,
  cause: sql`hangup_cause`,
  direction: sql`call_type`,
  outcome: sql`(select outcome from call_results where call_id = calls.id)`,
}

/** How a local time is written, by what statistics are read by. */
const formats = {
  hour: 'YYYY-MM-DD"T"HH24:00:00',
  day: 'YYYY-MM-DD"T"00:00:00',
  'hour-of-week': 'ID"T"HH24',
}

async function scan({ from, to, by, group }: Asked, handle = db) {
  const { rows } = await sql`
    select to_char(started_at at time zone ${await zoneOf()}, ${sql.lit(formats[by])}) as at,
      ${group ? columns[group] : sql`null`} as "group", count(*)::int as calls, count(answered_at)::int as answered,
      sum(duration)::int as seconds, coalesce(sum(call_price), 0)::int as cost
    from calls
    where account_id = ${account} and started_at >= ${from} and started_at < ${to} and ended_at is not null
    group by 1, 2 order by 1, 2`.execute(handle)
  return rows
}

const stats = async (asked: Asked, handle = db) =>
  await readStats(handle, { ...asked, accountId: account, timeZone: await zoneOf() })

/** Figures reach as far as calls are counted (call_counts), which is done here for all of them at once. */
async function count(until: Date, step = 3) {
  await db.transaction().execute(async (tx) => {
    await lockCounts(tx, account, 10_000)
    await sql`insert into call_counts (account_id, counted, until, calls, step)
      values (${account}, '*', ${until}, 0, 0) on conflict do nothing`.execute(tx)
  })
  const extend = () =>
    db.transaction().execute(async (tx) => {
      await lockFigures(tx, account)
      await deleteUnfit(tx, account)
      return await extendFigures(tx, account, step)
    })
  while (await extend()) {
    // On to the next step.
  }
}

const figures = () =>
  db.selectFrom('call_figures').selectAll().where('account_id', '=', account).orderBy('began_at').execute()

const users = ['2f8f1f4e-6a53-4f0f-9d0a-0c7d5a1b2c3d', null]
const call = fc.record({
  minute: fc.integer({ min: 0, max: spanMinutes }),
  extension: fc.constantFrom('1000', '1001', '1002'),
  type: fc.constantFrom('outbound' as const, 'inbound' as const, 'internal' as const),
  user: fc.constantFrom(...users),
  cause: fc.constantFrom('NORMAL_CLEARING' as const, 'USER_BUSY' as const),
  seconds: fc.option(fc.integer({ min: 0, max: 5000 })),
  price: fc.option(fc.integer({ min: 0, max: 900 })),
  outcome: fc.constantFrom('sale', 'lost', null),
  isLive: fc.boolean(),
})

function rowOf({
  minute,
  extension,
  type,
  user,
  cause,
  seconds,
  price,
  isLive,
}: Arbitrary<typeof call>): CallFields {
  const started_at = at(minute)
  return {
    started_at,
    user_uuid: user,
    call_type: type,
    ...(type === 'inbound' ? { to_number: extension } : { from_number: extension }),
    ...(isLive
      ? live('queued')
      : {
          hangup_cause: cause,
          answered_at: seconds === null ? null : started_at,
          duration: seconds ?? 0,
          call_price: price,
        }),
  }
}

/** Some have an outcome. */
async function addCalls(calls: Arbitrary<typeof call>[]) {
  const rows = calls.map(rowOf)
  const ids = await insertCalls(db, account, rows)
  const results = calls.flatMap(({ minute, outcome }, n) =>
    outcome ? [{ call_id: ids[n] ?? '', account_id: account, started_at: at(minute), outcome }] : [],
  )
  if (results.length > 0) {
    await db
      .insertInto('call_results')
      .values(results.map((result) => ({ ...result, notes: '', revision: 1 })))
      .execute()
  }
}

const asked = fc
  .record({
    from: fc.integer({ min: -30, max: spanMinutes }),
    minutes: fc.integer({ min: 1, max: spanMinutes }),
    by: fc.constantFrom('hour' as const, 'day' as const, 'hour-of-week' as const),
    group: fc.constantFrom(
      'extension' as const,
      'user' as const,
      'cause' as const,
      'direction' as const,
      'outcome' as const,
      undefined,
    ),
  })
  .map(({ from, minutes, by, group }): Asked => ({ from: at(from), to: at(from + minutes), by, group }))

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.array(call, { minLength: 1, maxLength: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ count: fc.integer({ min: 0, max: spanMinutes + 120 }) }) },
  { weight: 3, arbitrary: fc.record({ ask: asked }) },
  { weight: 2, arbitrary: fc.record({ end: fc.integer({ min: 0, max: spanMinutes }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      zone: fc.constantFrom('America/Sao_Paulo', 'Asia/Kolkata', 'Australia/Lord_Howe'),
    }),
  },
)

async function perform(one: Arbitrary<typeof deed>) {
  if ('add' in one) await addCalls(one.add)
  else if ('count' in one) await count(at(one.count))
  else if ('ask' in one) expect(await stats(one.ask)).toEqual(await scan(one.ask))
  else if ('zone' in one)
    await db.updateTable('accounts').set({ time_zone: one.zone }).where('id', '=', account).execute()
  else
    await db
      .updateTable('calls')
      .set({ ended_at: at(one.end), status: 'busy', hangup_cause: 'USER_BUSY', duration: 7, call_price: 3 })
      .where('account_id', '=', account)
      .where('ended_at', 'is', null)
      .where('started_at', '<=', at(one.end))
      .execute()
}

const whole = { from: at(-hours), to: at(spanMinutes + hours), by: 'day', group: 'extension' } as const

test('whatever is added, ended and counted in whatever order and time zone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 14 }), async (deeds) => {
      account = await insertAccount(db)
      for (const one of deeds) await perform(one)
      expect(await stats(whole)).toEqual(await scan(whole))
      await count(at(spanMinutes + 3 * hours))
      expect(await stats(whole)).toEqual(await scan(whole))
    }),
    { numRuns: 40 },
  )
}, 120_000)

test('at every moment while many add and end calls and others count', async () => {
  let adding = 3
  let minute = 0
  async function add() {
    for (let n = 0; n < 80; n += 1) {
      minute += 5
      // Some are added late: they began before what was counted.
      const started_at = at(n % 10 === 0 ? minute / 2 : minute)
      const [id = ''] = await insertCalls(db, account, [{ started_at, ...live('queued') }])
      const end = { ended_at: started_at, status: 'busy', hangup_cause: 'USER_BUSY', call_price: n } as const
      await db.updateTable('calls').set(end).where('id', '=', id).execute()
    }
    adding -= 1
  }
  async function countAlong() {
    while (adding > 0) await count(at(minute), 5)
  }
  const all: Asked = { ...whole, to: at(100 * hours), by: 'hour', group: undefined }
  async function ask() {
    while (adding > 0) {
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => expect(await stats(all, tx)).toEqual(await scan(all, tx)))
    }
  }
  await Promise.all([add(), add(), add(), countAlong(), ask()])
  await count(at(200 * hours), 5)
  const rows = await stats(all)
  expect(rows).toEqual(await scan(all))
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(240)
}, 60_000)

test('D607: hours of the week are read from what was counted ahead, not from the calls', async () => {
  const [id = ''] = await insertCalls(db, account, [
    { started_at: at(0) },
    { started_at: at(7 * 24 * hours) },
  ])
  await count(at(9 * 24 * hours))
  const asked: Asked = { from: at(-hours), to: at(8 * 24 * hours), by: 'hour-of-week', group: undefined }
  await db.updateTable('calls').set({ duration: 999 }).where('id', '=', id).execute()
  // The clocks were set forward between the two Saturdays.
  const rows = await stats(asked)
  expect(rows.map(({ at: hour, calls }) => [hour, calls])).toEqual([
    ['6T09', 1],
    ['6T10', 1],
  ])
  expect(rows[0]?.seconds).not.toBe(999)
})

test('an hour is counted once all its calls are over, and a call that is added late undoes it', async () => {
  await insertCalls(db, account, [{ started_at: at(0) }, { started_at: at(70) }, { started_at: at(130) }])
  const [id = ''] = await insertCalls(db, account, [{ started_at: at(75), ...live('queued') }])
  await count(at(10 * hours))
  const totals = async () =>
    (await figures())
      .filter(({ grouped_by }) => grouped_by === 'total')
      .map(({ began_at, calls }) => [began_at, calls])
  expect(await totals()).toEqual([[at(0), 1]])
  const end = { ended_at: at(80), status: 'busy', hangup_cause: 'USER_BUSY' } as const
  await db.updateTable('calls').set(end).where('id', '=', id).execute()
  await count(at(10 * hours))
  expect(await totals()).toEqual([
    [at(0), 1],
    [at(60), 2],
    [at(120), 1],
  ])
  await insertCalls(db, account, [{ started_at: at(61) }])
  expect(await totals()).toEqual([[at(0), 1]])
})

test('figures stay when old calls are removed', async () => {
  await insertCalls(db, account, [{ started_at: at(0), duration: 9 }, { started_at: at(70) }])
  await count(at(10 * hours))
  const before = await stats(whole)
  await db.transaction().execute(async (tx) => {
    await sql`alter table calls disable trigger user`.execute(tx)
    await tx.deleteFrom('calls').where('account_id', '=', account).execute()
    await sql`alter table calls enable trigger user`.execute(tx)
  })
  expect(await stats(whole)).toEqual(before)
})

test('the job counts accounts whose calls are counted, in steps, and stops when the pause says so', async () => {
  const { tick } = createCallStatistics({ db, stepCalls: 40 })
  await insertCalls(
    db,
    account,
    Array.from({ length: 45 }, (_, n) => ({ started_at: at(n * hours) })),
  )
  await tick()
  expect(await figures()).toEqual([])
  await sql`insert into call_counts values (${account}, '*', ${at(100 * hours)}, 45, 45)`.execute(db)
  let pauses = 0
  await tick(async () => {
    pauses += 1
    return false
  })
  const totals = async () => (await figures()).filter(({ grouped_by }) => grouped_by === 'total')
  expect([pauses, (await totals()).length]).toEqual([1, 40])
  await tick()
  expect(await totals()).toHaveLength(45)
})
