/** Calls and the statement as a file (D301), and figures about calls (D302). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf, type CallFields, insertCalls } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { chargeForCalls } from '../../helpers/service/money.ts'
import { addCredit } from '../../helpers/service/operator.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { lockTable } from '../../helpers/stored/table-lock.ts'

let service: Service
let office: Awaited<ReturnType<typeof openAccount>>
let accountId: number

type Listed = {
  started_at: string
  answered_at: string | null
  duration: number
  call_price: number | null
}

const count = 2_300
const newest = Date.parse('2026-11-15T12:00:00Z')

beforeAll(async () => {
  service = await startService()
  office = await openAccount(service)
  accountId = await accountIdOf(service.db, office.domain)
  const calls = Array.from({ length: count }, (_, n): CallFields => {
    const started_at = new Date(newest - n * 60_000)
    const isAnswered = n % 2 === 0
    return {
      started_at,
      answered_at: isAnswered ? started_at : null,
      ended_at: new Date(started_at.getTime() + 30_000),
      duration: isAnswered ? 30 : 0,
      call_price: isAnswered ? 6 : 0,
      minute_price: 1200,
      ...(n === 0 && { metadata: { note: '=1+1, "x"' }, first_name: '=HYPERLINK("x")', last_name: '-1' }),
    }
  })
  for (let n = 0; n < count; n += 500) await insertCalls(service.db, accountId, calls.slice(n, n + 500))
}, 60_000)
afterAll(() => service.stop())

describe('GET /calls as a file', () => {
  test('CSV has all calls of the filter, newest first, with a line of names', async () => {
    const { status, headers, body } = await service.api.get('/calls?format=csv', office)
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="calls.csv"',
    ])
    const lines = body.split('\r\n')
    expect(lines).toHaveLength(count + 2)
    expect(lines[0]).toMatch(
      /^id,domain,call_type,status,started_at,.*,metadata,ended_by,outcome,tags,notes$/,
    )
    expect(lines[1]).toContain(`,"'=HYPERLINK(""x"")",-1,`)
    expect(lines[1]).toMatch(/"\{""note"":.*\}",service,,,$/)
    const fields = ['to', 'duration']
    const { body: some } = await service.api.get(
      `/calls?format=csv&${filter({ where: { duration: 30 }, fields })}`,
      office,
    )
    expect(some.split('\r\n').slice(0, 2)).toEqual(['to,duration', '5548999998888,30'])
  })

  test('a cell of CSV is no formula either where a spreadsheet splits lines at semicolons, tabs or line ends (D301)', async () => {
    const other = await openAccount(service)
    const cells = { first_name: 'a;=1+1;b', last_name: 'a;-1;+55 48', metadata: { note: 'c;@sum\n=1' } }
    const started_at = new Date(newest)
    await insertCalls(service.db, await accountIdOf(service.db, other.domain), [{ ...cells, started_at }])
    const fields = Object.keys(cells)
    const { body } = await service.api.get(`/calls?format=csv&${filter({ fields })}`, other)
    expect(body.split('\r\n')[1]).toBe(`a;'=1+1;b,a;-1;+55 48,"{""note"": ""c;'@sum\\n=1""}"`)
  })

  test('NDJSON is chosen by Accept, and every line is a record of the list', async () => {
    const { headers, body } = await service.api.get('/calls', {
      ...office,
      headers: { accept: 'application/x-ndjson' },
    })
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const records = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(records).toHaveLength(count)
    expect(new Set(records.map(({ id }: { id: string }) => id)).size).toBe(count)
    const { body: page } = await service.api.get('/calls?page=1', office)
    expect(records.slice(0, 100)).toEqual(page.data)
  })

  test('a client that accepts anything gets a page; another format is refused, and so is a bad filter', async () => {
    for (const accept of ['*/*', 'application/json, text/csv']) {
      const { body } = await service.api.get('/calls', { ...office, headers: { accept } })
      expect(body.data).toHaveLength(100)
    }
    expect((await service.api.get('/calls?format=xls', office)).status).toBe(400)
    const bad = await service.api.get(`/calls?format=csv&${filter({ where: { no: 1 } })}`, office)
    expect([bad.status, bad.body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
  })
})

test('D472: a second export of the account is 429 until the first is over, or its client has left', async () => {
  const begin = async (signal?: AbortSignal) => {
    const lock = await lockTable(service.database.url, 'calls')
    const answer = fetch(`${service.url}/api/v1/calls?format=csv`, {
      headers: { authorization: office.token },
      ...(signal && { signal }),
    })
    await expect.poll(lock.waiting).toBeGreaterThan(0)
    return { answer, unlock: lock.unlock }
  }
  const ask = () => service.api.get('/calls?format=ndjson', office)
  const { answer, unlock } = await begin()
  const second = await ask()
  expect([second.status, second.body.error.code, second.headers.get('retry-after')]).toEqual([
    429,
    'EXPORT_RUNNING',
    '5',
  ])
  await unlock()
  expect((await (await answer).text()).split('\r\n')).toHaveLength(count + 2)
  expect((await ask()).status).toBe(200)
  const leaving = new AbortController()
  const { answer: left, unlock: unlockAgain } = await begin(leaving.signal)
  leaving.abort()
  await expect(left).rejects.toThrow()
  await unlockAgain()
  await expect.poll(async () => (await ask()).status).toBe(200)
})

test('HEAD of a file says what GET would, and reads no further', async () => {
  const { status, headers } = await service.api.head('/calls?format=csv', office)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect((await service.api.get('/calls?format=csv', office)).status).toBe(200)
})

test('GET /credits/statement as CSV has every entry, newest first, in the language of the client', async () => {
  const added = 1_100
  await addCredit(service, office.domain, 1000, { reason: '=1+1', reference: 'test' })
  await chargeForCalls(service, accountId, added)
  const { headers, body } = await service.api.get('/credits/statement?format=csv', {
    ...office,
    headers: { 'accept-language': 'pt-BR' },
  })
  expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="statement.csv"',
  ])
  const lines = body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + added + 2)
  expect(lines[0]).toBe('id,at,kind,amount,balance,reference,description')
  expect(lines[1]).toMatch(/,call,-0\.01,9,test:1099,Chamada para 5548999998888$/)
  expect(lines.at(-2)).toMatch(/,adjustment,10,20,test,'=1\+1$/)
  expect(lines.at(-1)).toMatch(/,trial,10,10,/)
  expect(new Set(lines).size).toBe(lines.length)
  const where = { kind: 'trial' }
  const { body: some } = await service.api.get(
    `/credits/statement?format=ndjson&${filter({ where, fields: ['kind', 'amount'] })}`,
    office,
  )
  expect(some).toBe('{"kind":"trial","amount":10}\n')
})

describe('GET /calls/stats', () => {
  const span = 'from=2026-11-13T00:00:00-03:00&to=2026-11-16T00:00:00-03:00'

  test('counts calls, answered ones, seconds and reais by local day, and adds up to the list', async () => {
    const { status, body } = await service.api.get(`/calls/stats?${span}`, office)
    expect([status, body.timeZone]).toEqual([200, 'America/Sao_Paulo'])
    const listed: Listed[] = (await service.api.get('/calls?format=ndjson', office)).body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    const dayOf = (at: string) => new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 10)
    const days = Map.groupBy(listed, ({ started_at }) => dayOf(started_at))
    const expected = [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, calls]) => ({
        at: `${day}T00:00:00`,
        calls: calls.length,
        answered: calls.filter(({ answered_at }) => answered_at !== null).length,
        seconds: calls.reduce((sum, { duration }) => sum + duration, 0),
        cost: calls.reduce((sum, { call_price }) => sum + Math.round(100 * (call_price ?? 0)), 0) / 100,
      }))
    expect(expected.length).toBeGreaterThan(1)
    expect(body.data).toEqual(expected)
  })

  test.each([
    ['extension', '1000'],
    ['direction', 'outbound'],
    ['cause', expect.any(String)],
    ['user', null],
  ])('apart by %s', async (group, key) => {
    const { body } = await service.api.get(`/calls/stats?${span}&by=hour&group=${group}`, office)
    expect(body.data[0]).toEqual({
      at: expect.stringMatching(/^2026-11-1\dT\d\d:00:00$/),
      group: key,
      calls: expect.any(Number),
      answered: expect.any(Number),
      seconds: expect.any(Number),
      cost: expect.any(Number),
    })
  })

  test.each([
    ['dates', 'from=2026-11-13&to=2026-11-16'],
    ['times without offset', 'from=2026-11-13T00:00&to=2026-11-16T00:00:00'],
    ['a date and an instant', 'from=2026-11-13&to=2026-11-16T03:00:00Z'],
  ])(
    'D672: %s are local to the account, and `to` is the first instant that is not counted',
    async (_, given) => {
      const { status, body } = await service.api.get(`/calls/stats?${given}`, office)
      expect(status).toBe(200)
      expect(body).toEqual((await service.api.get(`/calls/stats?${span}`, office)).body)
      const { body: oneDay } = await service.api.get('/calls/stats?from=2026-11-14&to=2026-11-15', office)
      expect(oneDay.data).toEqual(body.data.filter(({ at }: { at: string }) => at === '2026-11-14T00:00:00'))
    },
  )

  test('a month by the hour is not too long for the hour that clocks are set back', async () => {
    const abroad = await openAccount(service)
    const settings = await service.api.patch('/accounts/settings', { timeZone: 'Europe/Lisbon' }, abroad)
    expect(settings.status).toBe(200)
    const ask = async (to: string) =>
      (await service.api.get(`/calls/stats?from=2026-10-01&to=${to}&by=hour`, abroad)).status
    expect([await ask('2026-11-01'), await ask('2026-11-02')]).toEqual([200, 400])
  })

  test('by the hour of the week: from 1 for Monday, local to the account', async () => {
    const { body } = await service.api.get(`/calls/stats?${span}&by=hour-of-week`, office)
    const { body: byHour } = await service.api.get(`/calls/stats?${span}&by=hour`, office)
    type Row = { at: string; calls: number }
    const weekday = (at: string) => new Date(`${at}Z`).getUTCDay() || 7
    const expected = byHour.data.map(({ at, ...row }: Row) => ({
      at: `${weekday(at)}T${at.slice(11, 13)}`,
      ...row,
    }))
    expect(expected.length).toBeGreaterThan(1)
    expect(body.data).toEqual(expected)
  })

  test.each([
    'to=2026-11-16T00:00:00Z',
    'by=hour-of-week&from=2026-01-01T00:00:00Z&to=2026-11-15T00:00:00Z',
    'from=2026-11-16T00:00:00Z&to=2026-11-15T00:00:00Z',
    'from=2026-11-16&to=2026-11-16',
    'from=2026-02-30&to=2026-03-02',
    'from=2026-11-16&to=9999-12-31T23:59-03:00',
    'from=yesterday&to=2026-11-17',
    `${span}&by=month`,
    `${span}&group=email`,
    'by=hour&from=2026-01-01T00:00:00Z&to=2026-11-15T00:00:00Z',
  ])('refuses %s', async (query) => {
    const { status, body } = await service.api.get(`/calls/stats?${query}`, office)
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
  })
})
