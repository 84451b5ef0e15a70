/** Spec §2.1 and §4.1: calls listed, searched, and shown one by one. */
import Value from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallRecord } from '../../../src/contract/calls/call-record.ts'
import { accountIdOf, type CallFields, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function openWith(calls: CallFields[]) {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const ids = await insertCalls(service.db, accountId, calls)
  const list = async (query: string, who = admin) => (await service.api.get(`/calls?${query}`, who)).body
  const found = async (where: object) => {
    const body = await list(`page=1&${filter({ where })}`)
    expect(body.meta?.totalItemCount, JSON.stringify(body)).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => ids.indexOf(id)).sort((a: number, b: number) => a - b)
  }
  return { admin, ids, list, found }
}

const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 12, number))

test('a record has the fields of the contract, and answered_at and status (D14)', async () => {
  const { list, ids } = await openWith([
    {
      started_at: minute(0),
      answered_at: new Date('2026-11-15T12:00:09.250Z'),
      ended_at: new Date('2026-11-15T12:01:00.500Z'),
      status: 'completed',
      hangup_cause: 'NORMAL_CLEARING',
      duration: 51,
      minute_price: 1234,
      call_price: 12,
      from_number: '1007',
      metadata: { lead_id: 42, nested: { list: [1, null, 'x'] }, __proto: null },
      ended_by: 'extension',
    },
  ])
  const { data, meta } = await list('page=1')
  expect(data).toEqual([
    {
      id: ids[0],
      domain: 'padaria.ramal.localhost',
      call_type: 'outbound',
      status: 'completed',
      started_at: '2026-11-15T12:00:00.000Z',
      answered_at: '2026-11-15T12:00:09.250Z',
      ended_at: '2026-11-15T12:01:00.500Z',
      from: '1007',
      to: '5548999998888',
      duration: 51,
      hangup_cause: 'NORMAL_CLEARING',
      record_url: '',
      email: 'ana@padaria.example',
      first_name: 'Ana',
      last_name: 'Souza',
      BINA: '554833334444',
      user_uuid: null,
      extension_user_uuid: null,
      minute_price: 0.1234,
      call_price: 0.12,
      metadata: { lead_id: 42, nested: { list: [1, null, 'x'] }, __proto: null },
      ended_by: 'extension',
    },
  ])
  expect(Value.Check(CallRecord, data[0])).toBe(true)
  expect(meta).toEqual({ totalItemCount: 1, totalPageCount: 1, itemsPerPage: 100, currentPage: 1 })
})

test('ended_by tells a busy phone of the extension from a busy destination, and finds each (D584)', async () => {
  const busy = { status: 'busy', hangup_cause: 'USER_BUSY' } as const
  const { list, found } = await openWith([
    { ...busy, ended_by: 'extension' },
    { ...busy, ended_by: 'destination' },
    // D557: a call that no node took.
    { status: 'failed', ended_by: null },
    live('answered'),
  ])
  const { data } = await list(`page=1&${filter({ where: { status: 'busy' }, order: 'ended_by DESC' })}`)
  const sides = data.map(({ ended_by }: { ended_by: string }) => ended_by)
  expect(sides).toEqual(['extension', 'destination'])
  expect(await found({ status: 'busy', ended_by: 'extension' })).toEqual([0])
  expect(await found({ ended_by: { inq: ['destination', 'service'] } })).toEqual([1, 2])
  expect(await found({ ended_by: null })).toEqual([3])
})

test('what is not there yet is null, prices too (D15), and the recording an empty text (D121)', async () => {
  const { list } = await openWith([{ ...live('queued'), caller_number: null }])
  const [call] = (await list('page=1')).data
  const { answered_at, ended_at, hangup_cause, minute_price, call_price, BINA, record_url, duration } = call
  expect([answered_at, ended_at, hangup_cause, minute_price, call_price, BINA]).toEqual(Array(6).fill(null))
  expect([record_url, duration]).toEqual(['', 0])
})

test('while the destination is dialled a call is shown, found and sorted as ringing (D14)', async () => {
  const { list, found } = await openWith([live('connecting'), live('ringing'), live('answered'), {}])
  expect(await found({ status: 'ringing' })).toEqual([0, 1])
  expect(await found({ status: { neq: 'ringing' } })).toEqual([2, 3])
  expect(await found({ status: { like: 'ring%' } })).toEqual([0, 1])
  const { data } = await list(`page=1&${filter({ order: 'status' })}`)
  expect(data.map(({ status }: { status: string }) => status)).toEqual([
    'answered',
    'no_answer',
    'ringing',
    'ringing',
  ])
  const { status } = await service.api.get(
    `/calls?page=1&${filter({ where: { status: 'connecting' } })}`,
    await openAccount(service),
  )
  expect(status).toBe(400)
})

test('newest first, in pages that neither repeat nor skip (D20, D21, D22)', async () => {
  const { list, ids } = await openWith(
    Array.from({ length: 25 }, (_, n) => ({ started_at: minute(Math.floor(n / 5)) })),
  )
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const { data, meta } = await list(`page=${page}&${filter({ limit: 10 })}`)
    seen.push(...data.map(({ id }: { id: string }) => id))
    expect(meta).toMatchObject({ totalItemCount: 25, totalPageCount: 3, itemsPerPage: 10, currentPage: page })
    expect([meta.previousPage, meta.nextPage]).toEqual(
      [
        [undefined, 2],
        [1, 3],
        [2, undefined],
      ][page - 1],
    )
  }
  expect(new Set(seen)).toEqual(new Set(ids))
  const minutes = seen.map((id) => Math.floor(ids.indexOf(id) / 5))
  expect(minutes).toEqual(minutes.toSorted((one, other) => other - one))
  expect((await list('page=4')).data).toEqual([])
  expect((await list(`page=3&${filter({ where: { status: 'busy' } })}`)).meta).toMatchObject({
    totalItemCount: 0,
  })
  expect((await list('')).meta).toMatchObject({ currentPage: 1, totalItemCount: 25 })
})

test('is searched by the names of the contract and their aliases (D26)', async () => {
  const { found, ids } = await openWith([
    { from_number: '1001', to_number: '5511911112222', first_name: 'Bia', metadata: { lead_id: 7 } },
    { last_name: 'Lima', email: 'lima@padaria.example', caller_number: '551130001000', duration: 9 },
    { call_type: 'inbound', hangup_cause: 'USER_BUSY', status: 'busy', call_price: 150, minute_price: 2_500 },
    { started_at: minute(30), answered_at: minute(31), ended_at: minute(32), status: 'completed' },
    { metadata: { lead_id: '7', tags: { vip: true } } },
  ])
  for (const [where, expected] of [
    [{ from: '1001' }, [0]],
    [{ extension: 1001 }, [0]],
    [{ extension: { inq: ['1001', '1000'] } }, [0, 1, 2, 3, 4]],
    [{ to: '5511911112222' }, [0]],
    [{ phone: { like: '9111' } }, [0]],
    [{ first_name: 'Bia' }, [0]],
    [{ last_name: { ilike: 'LIM%' } }, [1]],
    [{ email: 'LIMA@padaria.example' }, [1]],
    [{ BINA: '551130001000' }, [1]],
    [{ duration: { gt: 5 } }, [1]],
    [{ call_type: 'inbound' }, [2]],
    [{ hangup_cause: 'USER_BUSY' }, [2]],
    [{ status: 'busy' }, [2]],
    [{ call_price: 1.5 }, [2]],
    [{ minute_price: { between: [0.2, 0.3] } }, [2]],
    [{ started_at: { gte: '2026-11-15T12:30:00Z' } }, [3]],
    [{ started_at: { gt: '2026-11-15T12:30:00Z' } }, []],
    [{ started_at: { between: ['2026-11-15', '2026-11-16'] } }, [0, 1, 2, 3, 4]],
    [{ started_at: { lt: '2026-11-15T12:30:00Z' }, extension: '1000' }, [1, 2, 4]],
    [{ answered_at: { neq: null } }, [3]],
    [{ ended_at: minute(32).toISOString() }, [3]],
    [{ id: ids[2] }, [2]],
    [{ 'metadata.lead_id': 7 }, [0, 4]],
    [{ 'metadata.lead_id': '7', from: '1001' }, [0]],
    [{ 'metadata.tags.vip': true }, [4]],
    [{ or: [{ 'metadata.tags.vip': true }, { status: 'busy' }] }, [2, 4]],
  ] as const) {
    expect(await found(where), JSON.stringify(where)).toEqual(expected)
  }
})

test('times in a filter are local to the account, a date is its whole day (D16)', async () => {
  // São Paulo is three hours behind UTC.
  const { found } = await openWith([
    { started_at: new Date('2026-11-15T02:59:59.999Z') },
    { started_at: new Date('2026-11-15T03:00:00.000Z') },
    { started_at: new Date('2026-11-15T11:26:54.678Z') },
    { started_at: new Date('2026-11-16T02:59:59.999Z') },
    { started_at: new Date('2026-11-16T03:00:00.000Z') },
  ])
  for (const [started_at, expected] of [
    ['2026-11-15', [1, 2, 3]],
    [{ between: ['2026-11-15', '2026-11-15'] }, [1, 2, 3]],
    [{ between: ['2026-11-14', '2026-11-15'] }, [0, 1, 2, 3]],
    [{ neq: '2026-11-15' }, [0, 4]],
    [{ inq: ['2026-11-14', '2026-11-16'] }, [0, 4]],
    [{ nin: ['2026-11-14', '2026-11-16'] }, [1, 2, 3]],
    [{ gt: '2026-11-15' }, [4]],
    [{ gte: '2026-11-15' }, [1, 2, 3, 4]],
    [{ lt: '2026-11-15' }, [0]],
    [{ lte: '2026-11-15' }, [0, 1, 2, 3]],
    ['2026-11-15 08:26:54', [2]],
    ['2026-11-15T08:26:54', [2]],
    ['2026-11-15T11:26:54Z', [2]],
    ['2026-11-15T08:26', [2]],
    ['2026-11-15T11:26:54.678Z', [2]],
    ['2026-11-15T11:26:54.000Z', []],
    [{ between: ['2026-11-15 08:26:54', '2026-11-15 08:26:54'] }, [2]],
    [{ lte: '2026-11-15 08:26:54' }, [0, 1, 2]],
    [{ gt: '2026-11-15 08:26:54' }, [3, 4]],
    [{ between: ['2026-11-15 00:00:00', '2026-11-15 23:59:59'] }, [1, 2, 3]],
    [{ between: ['0001-01-01', '9999-12-31'] }, [0, 1, 2, 3, 4]],
  ] as const) {
    expect(await found({ started_at }), JSON.stringify(started_at)).toEqual(expected)
  }
})

test('numbers in a filter may be written as they are dialled (D131)', async () => {
  const { found } = await openWith([
    { to_number: '554833328530', caller_number: '554833334444' },
    { to_number: '5511911112222', caller_number: null },
    { to_number: '1000', from_number: '554833328530', call_type: 'inbound' },
    { to_number: '14155552671', from_number: 'anonymous' },
  ])
  const notations = ['48 3332-8530', '+55 48 3332-8530', '055 48 3332-8530', '(48) 3332-8530', 4833328530]
  for (const number of [...notations, '04833328530', '554833328530', ' 554833328530']) {
    expect(await found({ to: number }), String(number)).toEqual([0])
    expect(await found({ phone: { neq: number } })).toEqual([1, 2, 3])
    expect(await found({ from: { inq: [number] } })).toEqual([2])
    expect(await found({ to: { nin: [number, '+1 415 555-2671'] } })).toEqual([1, 2])
  }
  expect(await found({ BINA: '(48) 3333-4444' })).toEqual([0, 2, 3])
  expect(await found({ BINA: { inq: ['+55 48 3333 4444', null] } })).toEqual([0, 1, 2, 3])
  expect(await found({ to: { inq: ['10-00', '14155552671'] } })).toEqual([2, 3])
  expect(await found({ from: 'anonymous' })).toEqual([3])
  expect(await found({ to: { like: '48 3332' } })).toEqual([])
  expect(await found({ to: { like: '4833328530' } })).toEqual([0])
})

test('metadata may be searched by an object, an id that is none finds nothing (D130, D133)', async () => {
  const { found } = await openWith([
    { metadata: { a: 1, b: { c: 2 } } },
    { metadata: { a: 1, b: { c: 3 }, 'x.y': 1 } },
  ])
  expect(await found({ metadata: { a: 1 } })).toEqual([0, 1])
  expect(await found({ metadata: { a: 1, b: { c: 2 } } })).toEqual([0])
  expect(await found({ or: [{ metadata: { b: { c: { gt: 2 } } } }, { status: 'busy' }] })).toEqual([1])
  expect(await found({ metadata: { 'x.y': 1 } })).toEqual([1])
  expect(await found({ id: 'abc' })).toEqual([])
  expect(await found({ id: { neq: 'abc' } })).toEqual([0, 1])
})

test('nothing of another account is found, and every user of an account sees its calls (D17)', async () => {
  const mine = await openWith([{ metadata: { lead_id: 'same' } }])
  const theirs = await openWith([{ metadata: { lead_id: 'same' } }, {}])
  const user = await addUser(service, mine.admin)
  expect((await service.api.get('/calls?page=1', user)).body.data).toHaveLength(1)
  expect(await mine.found({ 'metadata.lead_id': 'same' })).toEqual([0])
  expect(await theirs.found({})).toEqual([0, 1])
  const where = { or: [{ from: '1000' }, { id: theirs.ids[0] }] }
  expect((await mine.list(`page=1&${filter({ where })}`)).meta.totalItemCount).toBe(1)
})

test('totals stay exact when they are counted ahead, for every kind of filter', async () => {
  const calls = Array.from({ length: 1200 }, (_, n) => ({
    started_at: new Date(minute(0).getTime() - (1200 - n) * 60_000),
    from_number: n % 2 === 0 ? '1000' : '1001',
    metadata: { campaign: n % 3 },
  }))
  const { list } = await openWith(calls)
  await service.tick('call counts')
  expect(await countRows(service.db, 'call_counts')).toBeGreaterThan(0)
  for (const [where, total] of [
    [{}, 1200],
    [{ from: '1001' }, 600],
    [{ started_at: { lt: minute(-600).toISOString() } }, 600],
    [
      { started_at: { between: [minute(-600).toISOString(), minute(-1).toISOString()] }, extension: '1000' },
      300,
    ],
    [{ 'metadata.campaign': 1 }, 400],
  ] as const) {
    const { meta } = await list(`page=1&${filter({ where, limit: 1 })}`)
    expect(meta.totalItemCount, JSON.stringify(where)).toBe(total)
  }
})

test('fields picks what is shown', async () => {
  const { list } = await openWith([{}])
  expect((await list(`page=1&${filter({ fields: ['from', 'to'] })}`)).data).toEqual([
    { from: '1000', to: '5548999998888' },
  ])
})

test('recording_lost is shown only if fields names it, also in a file (D591)', async () => {
  const { list, admin } = await openWith([{ recording: 'lost' }])
  const named = filter({ fields: ['to', 'recording_lost'] })
  expect((await list(`page=1&${named}`)).data).toEqual([{ to: '5548999998888', recording_lost: true }])
  const [whole] = (await list('page=1')).data
  const [reduced] = (await list(`page=1&${filter({ fields: { metadata: false } })}`)).data
  expect([whole, reduced].filter((call) => 'recording_lost' in call)).toEqual([])
  const read = async (query: string) =>
    (await service.api.get(`/calls?format=csv&${query}`, admin)).body.trim().split(/\r?\n/)
  expect(await read(named)).toEqual(['to,recording_lost', '5548999998888,true'])
  expect((await read(''))[0]).not.toContain('recording_lost')
})

test('one call is shown by its id; what is not there or not of the account is 404 (D19)', async () => {
  const { admin, ids, list } = await openWith([{ metadata: { a: 1 } }])
  const { status, body } = await service.api.get(`/calls/${ids[0]}`, admin)
  expect(status).toBe(200)
  const said = { outcome: null, tags: [], notes: '' }
  const additions = {
    keys: [],
    quality: null,
    recording_lost: false,
    transfers: [],
    transferred_from: null,
    ...said,
  }
  expect(body).toEqual({ ...(await list('page=1')).data[0], ...additions })
  const other = await openAccount(service)
  for (const [id, who] of [
    [ids[0], other],
    [crypto.randomUUID(), admin],
    ['no-id', admin],
  ] as const) {
    const answer = await service.api.get(`/calls/${id}`, who)
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'CALL_NOT_FOUND'])
  }
  expect((await service.api.get(`/calls/${ids[0]}`)).status).toBe(401)
})

test('the list may be asked 15 times a minute by each user', async () => {
  const limited = await startService({ RATE_LIMITS: 'on' })
  const admin = await openAccount(limited)
  const { headers } = await limited.api.get('/calls?page=1', admin)
  expect(headers.get('ratelimit-limit')).toBe('15')
  await limited.stop()
})
