/** D600: missed calls as a list to work off. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newestMissed } from '../../../src/calls/missed/missed-store.ts'
import { accountIdOf, type CallFields, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const customer = '5548999990001'
type Who = { token: string }

/** Minutes before now, by the clock of the service. */
const ago = (minutes: number) => new Date(service.clock.now().getTime() - minutes * 60_000)
const missedAt = (minutes: number, fields: CallFields = {}): CallFields => ({
  call_type: 'inbound',
  from_number: customer,
  to_number: '1001',
  started_at: ago(minutes),
  ended_at: ago(minutes),
  ...fields,
})
const answered = { status: 'completed', hangup_cause: 'NORMAL_CLEARING' } as const

/** The account of Bia, who has 1001, and Caio, who has 1002. */
async function openWith(calls: CallFields[]) {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const [bia, caio] = [await addUser(service, admin), await addUser(service, admin)]
  for (const [ramal, { email }] of [
    ['1001', bia],
    ['1002', caio],
  ] as const) {
    const person = { first_name: 'Bia', last_name: 'Lima', email_address: email }
    await service.api.post('/extensions', { ramal, senha: 's3nha-longa', ...person }, admin)
  }
  const add = (more: CallFields[]) => insertCalls(service.db, accountId, more)
  const ids = await add(calls)
  const list = async (query = '', who: Who = admin) =>
    (await service.api.get(`/calls/missed${query}`, who)).body
  const mark = (number: string, done: boolean, who: Who = admin) =>
    service.api.patch('/calls/missed', { number, done }, who)
  return { admin, bia, caio, ids, add, list, mark }
}

test('inbound calls that nobody answered are listed by number, the newest first', async () => {
  const { ids, list } = await openWith([
    missedAt(60),
    missedAt(30, { to_number: '1002' }),
    missedAt(45, { from_number: '5548999990002' }),
    // Not missed: answered, still ringing, internal, outbound, to no extension.
    missedAt(20, { from_number: '5548999990003', answered_at: ago(20), ...answered }),
    missedAt(1, { from_number: '5548999990004', ...live('ringing') }),
    missedAt(10, { from_number: '1002', call_type: 'internal' }),
    { from_number: '1001', to_number: '5548999990005', started_at: ago(5), ended_at: ago(5) },
    missedAt(5, { from_number: '5548999990006', to_number: '1999' }),
  ])
  expect(await list()).toEqual({
    open: 2,
    data: [
      {
        number: customer,
        calls: 2,
        first_at: ago(60).toISOString(),
        last_at: ago(30).toISOString(),
        last_call_id: ids[1],
        extension: '1002',
        done: null,
      },
      expect.objectContaining({ number: '5548999990002', calls: 1, done: null }),
    ],
  })
})

test('a number is done when somebody calls it, also if that is not answered, and open again when it calls again', async () => {
  const { add, list } = await openWith([
    // A call before the missed one is no call back.
    { from_number: '1002', to_number: customer, started_at: ago(90), ended_at: ago(90) },
    missedAt(60),
  ])
  expect((await list()).open).toBe(1)
  const called = { from_number: '1002', to_number: customer, started_at: ago(50), ended_at: ago(50) }
  const [id] = await add([{ ...called, first_name: 'Caio', last_name: 'Reis' }])
  expect(await list()).toEqual({ open: 0, data: [] })
  expect((await list('?state=done')).data).toMatchObject([
    {
      number: customer,
      done: {
        how: 'called_back',
        at: ago(50).toISOString(),
        name: 'Caio Reis',
        call_id: id,
        answered: false,
      },
    },
  ])
  await add([missedAt(40)])
  expect(await list()).toMatchObject({ open: 1, data: [{ number: customer, calls: 2, done: null }] })
})

test('a number is done when it calls again and is answered', async () => {
  const { list } = await openWith([
    missedAt(60),
    missedAt(50, { to_number: '1002', answered_at: ago(50), ...answered }),
  ])
  const { open, data } = await list('?state=all')
  expect([open, data[0].done]).toMatchObject([0, { how: 'answered', answered: true }])
})

test('a number is marked as done, and the mark taken back; later calls open it again', async () => {
  const { bia, add, list, mark } = await openWith([missedAt(60), missedAt(60, { from_number: 'anonymous' })])
  const { status, body } = await mark(customer, true, bia)
  expect([status, body.done]).toMatchObject([200, { how: 'marked', name: bia.name, user_uuid: bia.uuid }])
  expect((await mark('anonymous', true)).body.done.how).toBe('marked')
  expect((await list()).open).toBe(0)
  expect((await mark(customer, false)).body.done).toBeNull()
  expect((await list()).open).toBe(1)
  await mark(customer, true)
  await add([missedAt(-1)])
  expect((await list()).open).toBe(1)
})

test('a number without a missed call is 404, a wrong state or number of days 400', async () => {
  const { admin, mark } = await openWith([missedAt(60)])
  expect((await mark('5548999990009', true)).body.error.code).toBe('CALL_NOT_FOUND')
  for (const query of ['state=new', 'days=0', 'days=31', 'days=x']) {
    expect((await service.api.get(`/calls/missed?${query}`, admin)).status, query).toBe(400)
  }
})

test('calls of the last 7 days are listed, or of as many as are asked for', async () => {
  const day = 24 * 60
  const { list } = await openWith([missedAt(6 * day), missedAt(8 * day, { from_number: '5548999990002' })])
  expect([(await list()).open, (await list('?days=30')).open, (await list('?days=1')).open]).toEqual([
    1, 2, 0,
  ])
})

test('with own calls only a USER lists and marks those of their own extensions (D599)', async () => {
  const { admin, bia, caio, add, list, mark } = await openWith([])
  const of = ({ uuid }: { uuid: string }) => ({ user_uuid: uuid, extension_user_uuid: uuid })
  await add([
    missedAt(60, of(bia)),
    missedAt(50, { from_number: '5548999990002', to_number: '1002', ...of(caio) }),
  ])
  expect((await list('', bia)).open).toBe(2)
  await service.api.patch('/accounts/settings', { callVisibility: 'own' }, admin)
  expect((await list('', bia)).data.map(({ number }: { number: string }) => number)).toEqual([customer])
  expect((await mark('5548999990002', true, bia)).status).toBe(404)
  expect((await mark('5548999990002', true, caio)).status).toBe(200)
  expect((await list()).open).toBe(1)
})

test('nobody of another account sees or marks them', async () => {
  const { mark } = await openWith([missedAt(60)])
  const other = await openWith([])
  expect((await other.list('?state=all')).data).toEqual([])
  expect((await mark(customer, true, other.admin)).status).toBe(404)
})

test('D676: the newest 1,000 missed calls are looked at; of more the count is a lower bound', async () => {
  const many = (count: number, first: number) =>
    Array.from({ length: count }, (_, index) =>
      missedAt(first + index, { from_number: `5511${900_000_000 + first + index}` }),
    )
  const { add, list } = await openWith(many(999, 1))
  expect(await list()).toMatchObject({ open: 999 })
  expect(await list()).not.toHaveProperty('openIsLowerBound')
  await add(many(2, 1_000))
  expect(await list()).toMatchObject({ open: 1_000, openIsLowerBound: true })
  expect((await list()).data).toHaveLength(200)
})

test('D676: they are found by their own index', async () => {
  const { admin } = await openWith([missedAt(60)])
  const accountId = await accountIdOf(service.db, admin.domain)
  const asked = { accountId, numbers: ['1001'], since: ago(600), own: undefined, limit: 10 }
  const plan = await service.db.transaction().execute(async (tx) => {
    // A small table is read whole otherwise.
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_sort = off`.execute(tx)
    return JSON.stringify((await sql`explain ${newestMissed(asked)}`.execute(tx)).rows)
  })
  expect(plan).toContain('calls_missed')
})
