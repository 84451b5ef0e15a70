/** Catching up with what was changed (D575). */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beforeChanges } from '../../../src/filter/updates.ts'
import type { Database } from '../../../src/store/database.ts'
import { changedKeys } from '../../../src/store/updates-sql.ts'
import { accountIdOf, changeCall, insertAccount, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { insertExtension, removeAccount, removeExtensions } from '../../helpers/stored/people-rows.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterAll(() => service.stop())

type Owner = Awaited<ReturnType<typeof openAccount>>
type Row = { id: number | string }

async function open() {
  const ana = await openAccount(service)
  return { ana, accountId: await accountIdOf(service.db, ana.domain) }
}

/** Everything behind the cursor, in requests of `limit` records. */
async function catchUp(path: string, ana: Owner, cursor?: string, limit = 2) {
  const data: Row[] = []
  const removed: number[] = []
  for (let last = cursor; ; ) {
    const from = last === undefined ? '' : `&cursor=${encodeURIComponent(last)}`
    const { status, body } = await service.api.get(`${path}/updated?limit=${limit}${from}`, ana)
    expect([status, body]).toEqual([200, expect.objectContaining({ more: expect.any(Boolean) })])
    data.push(...body.data)
    removed.push(...(body.removed ?? []))
    last = body.cursor
    if (!body.more) return { data, ids: data.map(({ id }) => id), removed, cursor: String(last) }
  }
}

/** A transaction that has done its work and is not committed until `commit()`. */
async function hold(work: (tx: Database) => Promise<unknown>) {
  const { promise: mayCommit, resolve: release } = Promise.withResolvers<void>()
  const { promise: done, resolve: isDone } = Promise.withResolvers<void>()
  const committed = service.db.transaction().execute(async (tx) => {
    await work(tx)
    isDone()
    await mayCommit
  })
  await Promise.race([done, committed])
  return async () => {
    release()
    await committed
  }
}

const end = (db: Database, id: string) =>
  changeCall(db, id, { status: 'completed', ended_at: new Date(), hangup_cause: 'NORMAL_CLEARING' })

describe('calls', () => {
  test('come once in the order of their last change, as they are now, and again when they change', async () => {
    const { ana, accountId } = await open()
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(...(await insertCalls(service.db, accountId, [live('answered')])))
    const [first = '', second = ''] = ids
    await end(service.db, first)
    const copy = await catchUp('/calls', ana)
    expect(copy.ids).toEqual([...ids.slice(1), first])
    expect(copy.data.at(-1)).toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    const { body: listed } = await service.api.get('/calls', ana)
    for (const call of listed.data) expect(copy.data).toContainEqual(expect.objectContaining(call))

    const nothing = await catchUp('/calls', ana, copy.cursor)
    expect([nothing.ids, nothing.cursor]).toEqual([[], copy.cursor])
    await changeCall(service.db, second, { recording: 'stored' })
    const recorded = await catchUp('/calls', ana, nothing.cursor)
    expect(recorded.ids).toEqual([second])
    await service.api.patch(`/calls/${first}`, { notes: 'call again', tags: ['warm'] }, ana)
    const { data } = await catchUp('/calls', ana, recorded.cursor)
    expect(data).toMatchObject([{ id: first, notes: 'call again', tags: ['warm'], recording_lost: false }])
  })

  test('do not come again for proof of life or for ringing, which nobody needs a copy of', async () => {
    const { ana, accountId } = await open()
    const [id = ''] = await insertCalls(service.db, accountId, [live('queued')])
    const { cursor } = await catchUp('/calls', ana)
    const now = new Date()
    await changeCall(service.db, id, { status: 'ringing', ringing_at: now })
    await changeCall(service.db, id, { alive_at: now, stamped_at: now })
    expect((await catchUp('/calls', ana, cursor)).ids).toEqual([])
  })

  test('changed earlier and committed later are not missed', async () => {
    const { ana, accountId } = await open()
    const [slow = '', quick = ''] = await insertCalls(service.db, accountId, [
      live('answered'),
      live('answered'),
    ])
    const { cursor } = await catchUp('/calls', ana)
    const commit = await hold((tx) => end(tx, slow))
    await end(service.db, quick)
    // The later change waits for the earlier one, whose time it would pass.
    const before = await catchUp('/calls', ana, cursor)
    expect(before.ids).toEqual([])
    await commit()
    expect((await catchUp('/calls', ana, before.cursor)).ids).toEqual([slow, quick])
  })

  test('stored in one transaction that is committed after calls of a later one are not missed', async () => {
    const { ana, accountId } = await open()
    // Its caller is known: two that add the same caller wait for each other.
    await insertCalls(service.db, accountId, [{}])
    const { cursor } = await catchUp('/calls', ana)
    let slow: string[] = []
    const commit = await hold(async (tx) => {
      slow = await insertCalls(tx, accountId, [{}, {}, {}])
    })
    const quick = await insertCalls(service.db, accountId, [{}])
    const before = await catchUp('/calls', ana, cursor)
    expect(before.ids).toEqual([])
    await commit()
    const { ids } = await catchUp('/calls', ana, before.cursor)
    expect([...ids].sort()).toEqual([...slow, ...quick].sort())
  })

  test('since a time begin with the first changed then', async () => {
    const { ana, accountId } = await open()
    await insertCalls(service.db, accountId, [{}])
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() + interval '1 ms' as at`.execute(
      service.db,
    )
    await sql`select pg_sleep(0.002)`.execute(service.db)
    const later = await insertCalls(service.db, accountId, [{}])
    const { body } = await service.api.get(`/calls/updated?updated_since=${rows[0]?.at.toISOString()}`, ana)
    expect(body).toMatchObject({ data: [{ id: later[0] }], more: false })
  })

  test('since a time to come are none, and the next changes come behind the cursor (D583)', async () => {
    const { ana, accountId } = await open()
    const [first = ''] = await insertCalls(service.db, accountId, [live('answered')])
    const { body } = await service.api.get('/calls/updated?updated_since=9999-01-01T00:00:00Z', ana)
    expect(body).toEqual({ data: [], more: false, cursor: expect.any(String) })
    await end(service.db, first)
    const { data } = await catchUp('/calls', ana, body.cursor)
    expect(data).toEqual([expect.objectContaining({ id: first, status: 'completed' })])
  })

  test('are found by an index in their order, however many the account has', async () => {
    const { accountId } = await open()
    await sql`
      insert into calls (id, account_id, domain, call_type, status, from_number, to_number, first_name, last_name, email,
        record, started_at, ended_at, hangup_cause, node, alive_at)
      select gen_random_uuid(), ${accountId}, 'd', 'outbound', 'no_answer', '1000', '5548999998888', 'A', 'B', 'c@d',
        false, now(), now(), 'NO_ANSWER', 'n', now() from generate_series(1, 3000)`.execute(service.db)
    await sql`analyze calls`.execute(service.db)
    const last = beforeChanges('uuid')
    const asked = { accountId, tables: ['calls'], idType: 'uuid', last, limit: 100 } as const
    const { rows } = await sql<Record<string, string>>`
      explain ${changedKeys(asked, '2100-01-01T00:00:00.000000Z')}`.execute(service.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('calls_by_change')
    // The outer sort has a page of keys, which the inner limit let through.
    expect(plan).not.toMatch(/Seq Scan|Bitmap/)
  })
})

test('charges come when they are made and when they are paid', async () => {
  const { ana } = await open()
  const { body: made } = await service.api.post('/charges', pix, ana)
  const before = await catchUp('/charges', ana)
  expect(before.data).toMatchObject([{ id: made.id, status: 'PENDING', paidAt: null }])
  await service.movePayment(made.paymentId, 'RECEIVED')
  const after = await catchUp('/charges', ana, before.cursor)
  expect(after.data).toMatchObject([{ id: made.id, paidAt: expect.any(String) }])
})

describe('extensions', () => {
  const bia = {
    ramal: '1000',
    senha: 'a secret of hers',
    first_name: 'Bia',
    last_name: 'Lima',
    email_address: 'b@x.example',
  }

  test('come when they are made, changed and removed', async () => {
    const { ana } = await open()
    const { body: made } = await service.api.post('/extensions', bia, ana)
    const { body: other } = await service.api.post('/extensions', { ...bia, ramal: '1001' }, ana)
    await service.api.patch('/extensions', { id: made.id, last_name: 'Souza' }, ana)
    const copy = await catchUp('/extensions', ana, undefined, 1)
    expect(copy.data).toMatchObject([{ id: other.id }, { id: made.id, last_name: 'Souza' }])
    expect(copy.removed).toEqual([])
    await service.api.delete(`/extensions/${made.id}`, ana)
    await service.api.patch('/extensions', { id: other.id, gravar_audio: 1 }, ana)
    const after = await catchUp('/extensions', ana, copy.cursor, 1)
    expect([after.removed, after.data]).toEqual([[made.id], [expect.objectContaining({ gravar_audio: 1 })]])
  })

  test('come again when their user is removed, who was their owner', async () => {
    const { ana } = await open()
    const user = await addUser(service, ana)
    await service.api.post('/extensions', { ...bia, email_address: user.email }, ana)
    const copy = await catchUp('/extensions', ana)
    expect(copy.data).toMatchObject([{ user_uuid: expect.any(String) }])
    await service.api.delete(`/users/${user.uuid}`, ana)
    expect((await catchUp('/extensions', ana, copy.cursor)).data).toMatchObject([{ user_uuid: null }])
  })

  test('of an account that is deleted leave nothing behind', async () => {
    const accountId = await insertAccount(service.db)
    const noted = () => countRows(service.db, 'removed_extensions', { account_id: accountId })
    await insertExtension(service.db, accountId, '1000')
    await removeExtensions(service.db, accountId)
    expect(await noted()).toBe(1)
    await insertExtension(service.db, accountId, '1001')
    await removeAccount(service.db, accountId)
    expect(await noted()).toBe(0)
  })
})

test('refuses a cursor of another route, a cursor beside a time, a time without offset and a limit of 0', async () => {
  const { ana } = await open()
  const { cursor } = await catchUp('/extensions', ana)
  const refused = [
    `/calls/updated?cursor=${cursor}`,
    '/calls/updated?cursor=2026-02-31T00:00:00.000000Z_0',
    `/charges/updated?cursor=x`,
    `/extensions/updated?cursor=${cursor}&updated_since=2026-11-15T12:00:00Z`,
    '/charges/updated?updated_since=2026-11-15T12:00:00',
    '/extensions/updated?limit=0',
    '/calls/updated?filter={}',
  ]
  for (const path of refused) {
    const { status, body } = await service.api.get(path, ana)
    expect([path, status, body.error.code]).toEqual([path, 400, 'INVALID_PARAMETER_VALUE'])
  }
})

test('nobody sees the changes of another account, and a USER none of the charges', async () => {
  const { ana, accountId } = await open()
  await insertCalls(service.db, accountId, [{}])
  const { ana: other } = await open()
  expect((await catchUp('/calls', other)).ids).toEqual([])
  const user = await addUser(service, ana)
  expect((await service.api.get('/charges/updated', user)).status).toBe(403)
  expect((await service.api.get('/calls/updated', user)).body.data).toHaveLength(1)
})
