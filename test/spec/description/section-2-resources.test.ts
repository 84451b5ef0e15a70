/** Spec §2.9 and §2.10: pagination meta and the query filter, on a list in pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordAudit } from '../../../src/users/audit/audit.ts'
import { accountIdOf } from '../../helpers/service/call-rows.ts'
import { createClient, filter } from '../../helpers/service/client.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { removeAuditOf, replaceAudit } from '../../helpers/stored/audit-rows.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let accountId: number

const rows = 25

beforeAll(async () => {
  service = await startService({ ACCOUNT_TIME_ZONE: 'America/Sao_Paulo' })
  admin = await openAccount(service)
  accountId = await accountIdOf(service.db, admin.domain)
  const entries = Array.from({ length: rows }, (_, index) => index + 1).map((n) => ({
    accountId,
    at: new Date(Date.UTC(2026, 9, n, 2, 30)),
    action: 'user.updated' as const,
    actor: n % 5 === 0 ? null : `agent${n}@padaria.example`,
    subject: `Row ${n}`,
    details: { number: n, deep: { flag: n % 2 === 0 } },
  }))
  await replaceAudit(service.db, entries)
})
afterAll(() => service.stop())

const list = (query: string) => service.api.get(`/accounts/audit?${query}`, admin)
const subjects = async (asked: object, page = 1) =>
  (await list(`page=${page}&${filter(asked)}`)).body.data.map(({ subject }: { subject: string }) => subject)

describe('pages (§2.9, D20, D21)', () => {
  test('are 100 rows unless filter.limit says otherwise', async () => {
    expect((await list('page=1')).body.meta.itemsPerPage).toBe(100)
    expect((await list(`page=1&${filter({ limit: 10 })}`)).body.meta.itemsPerPage).toBe(10)
  })

  test('show the total, the page count, and the previous and next page only if there is one', async () => {
    const meta = async (page: number) => (await list(`page=${page}&${filter({ limit: 10 })}`)).body.meta
    const all = { totalItemCount: rows, totalPageCount: 3, itemsPerPage: 10 }
    const nextCursor = expect.any(String)
    expect(await meta(1)).toEqual({ ...all, currentPage: 1, nextPage: 2, nextCursor })
    expect(await meta(2)).toEqual({ ...all, currentPage: 2, nextPage: 3, previousPage: 1, nextCursor })
    expect(await meta(3)).toEqual({ ...all, currentPage: 3, previousPage: 2 })
  })

  test('past the end are 200 with empty data', async () => {
    const { status, body } = await list(`page=9&${filter({ limit: 10 })}`)
    expect([status, body.data]).toEqual([200, []])
  })

  test('of nothing are 0', async () => {
    const { body } = await list(`page=1&${filter({ where: { subject: 'none' } })}`)
    expect(body.meta).toMatchObject({ totalItemCount: 0, totalPageCount: 0 })
  })

  test('neither repeat nor skip a row', async () => {
    const seen = [
      ...(await subjects({ limit: 10 }, 1)),
      ...(await subjects({ limit: 10 }, 2)),
      ...(await subjects({ limit: 10 }, 3)),
    ]
    expect(seen).toEqual(Array.from({ length: rows }, (_, index) => `Row ${rows - index}`))
  })

  test('come after the rows that offset, or skip, leaves out', async () => {
    expect(await subjects({ limit: 2, offset: 3 })).toEqual(['Row 22', 'Row 21'])
    expect(await subjects({ limit: 2, skip: 3 }, 2)).toEqual(['Row 20', 'Row 19'])
  })

  test('follow one another by cursor as well, whatever is added meanwhile (D135)', async () => {
    const first = (await list(`page=1&${filter({ limit: 10 })}`)).body
    const added = {
      accountId,
      at: new Date(),
      action: 'user.updated',
      actor: null,
      subject: 'new',
      details: {},
    } as const
    await recordAudit(service.db, added)
    const second = (await list(`cursor=${first.meta.nextCursor}&${filter({ limit: 10 })}`)).body
    expect(second.data[0].subject).toBe(`Row ${rows - 10}`)
    expect(second.meta).toMatchObject({ totalItemCount: rows, currentPage: 2, nextPage: 3, previousPage: 1 })
    const third = (await list(`cursor=${second.meta.nextCursor}&${filter({ limit: 10 })}`)).body
    expect(third.data.map(({ subject }: { subject: string }) => subject)).toEqual(
      [5, 4, 3, 2, 1].map((n) => `Row ${n}`),
    )
    expect(third.meta.nextCursor).toBeUndefined()
    await removeAuditOf(service.db, 'new')
  })

  test.each(['', 'abc', 'W10', '%00'])('refuse cursor %j, and one of another filter', async (cursor) => {
    const refused = [400, 'INVALID_PARAMETER_VALUE']
    const odd = await list(`cursor=${cursor}`)
    expect([odd.status, odd.body.error.code]).toEqual(refused)
    const { nextCursor } = (await list(filter({ limit: 10 }))).body.meta
    const other = await list(`cursor=${nextCursor}&${filter({ limit: 10, order: 'at' })}`)
    expect([other.status, other.body.error.code]).toEqual(refused)
  })

  test('begin at 1 without the page parameter', async () => {
    const { status, body } = await list('')
    expect([status, body.meta.currentPage, body.data.length]).toEqual([200, 1, rows])
  })

  test('need the parameter if STRICT_PAGING is set: without it 400 MISSING_REQUIRED_PARAMETER', async () => {
    const strict = await startService({ STRICT_PAGING: 'true' })
    const owner = await openAccount(strict)
    for (const path of ['/accounts/audit', '/calls', '/charges']) {
      const { status, body } = await strict.api.get(path, owner)
      expect([status, body.error?.code]).toEqual([400, 'MISSING_REQUIRED_PARAMETER'])
    }
    await strict.stop()
  })

  test.each(['0', '-1', '1.5', 'x', '', '1e3', '99999999999'])('refuse page %j', async (page) => {
    const { status, body } = await list(`page=${page}`)
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
  })

  test.each([0, 1001, -5, 1.5, 'x', ''])('refuse a limit of %j and take 1 and 1000', async (limit) => {
    expect((await list(`page=1&${filter({ limit })}`)).status).toBe(400)
    for (const taken of [1, 1000]) expect((await list(`page=1&${filter({ limit: taken })}`)).status).toBe(200)
  })
})

describe('the filter (§2.10, D23-D25)', () => {
  test('where: equality, and keys together mean and', async () => {
    expect(await subjects({ where: { subject: 'Row 7' } })).toEqual(['Row 7'])
    expect(await subjects({ where: { subject: 'Row 7', action: 'login.failed' } })).toEqual([])
  })

  test('operators on one field are all applied', async () => {
    expect(await subjects({ where: { 'details.number': { gt: 3, lte: 5 } } })).toEqual(['Row 5', 'Row 4'])
  })

  test('and, or, nested', async () => {
    const where = {
      or: [{ subject: 'Row 1' }, { and: [{ subject: 'Row 2' }, { 'details.deep.flag': true }] }],
    }
    expect(await subjects({ where })).toEqual(['Row 2', 'Row 1'])
  })

  test('neq and nin include nulls, a bare null finds them', async () => {
    const without = await subjects({ where: { actor: { neq: 'agent1@padaria.example' } } })
    expect(without).toHaveLength(rows - 1)
    expect(await subjects({ where: { actor: null } })).toEqual([
      'Row 25',
      'Row 20',
      'Row 15',
      'Row 10',
      'Row 5',
    ])
  })

  test('like matches a part without wildcards, the whole with them; ilike in any case', async () => {
    expect(await subjects({ where: { subject: { like: 'ow 2' } } })).toHaveLength(7)
    expect(await subjects({ where: { subject: { like: '%2' } } })).toEqual(['Row 22', 'Row 12', 'Row 2'])
    expect(await subjects({ where: { subject: { like: 'ROW' } } })).toEqual([])
    expect(await subjects({ where: { subject: { ilike: 'ROW 1_' } } })).toHaveLength(10)
  })

  test('regexp', async () => {
    expect(await subjects({ where: { subject: { regexp: '^Row [12]5$' } } })).toEqual(['Row 25', 'Row 15'])
    expect(await subjects({ where: { subject: { regexp: '/^ROW 7$/i' } } })).toEqual(['Row 7'])
  })

  test('inq, nin, between', async () => {
    expect(await subjects({ where: { subject: { inq: ['Row 3', 'Row 4', 'x'] } } })).toEqual([
      'Row 4',
      'Row 3',
    ])
    expect(await subjects({ where: { 'details.number': { between: [2, 3] } } })).toEqual(['Row 3', 'Row 2'])
    expect(await subjects({ where: { subject: { nin: ['Row 3'] } } })).toHaveLength(rows - 1)
  })

  test("a date is that day in the account's time zone, an offset is honoured (D16)", async () => {
    // Row 8 is at 2026-10-08T02:30Z, which is still the 7th in São Paulo (UTC-3).
    expect(await subjects({ where: { at: { gte: '2026-10-07', lt: '2026-10-08' } } })).toEqual(['Row 8'])
    expect(await subjects({ where: { at: '2026-10-07' } })).toEqual(['Row 8'])
    expect(await subjects({ where: { at: '2026-10-07T23:30:00-03:00' } })).toEqual(['Row 8'])
    expect(await subjects({ where: { at: '2026-10-07 23:30:00' } })).toEqual(['Row 8'])
  })

  test('order, by several fields and in both directions', async () => {
    expect(await subjects({ order: 'at ASC', limit: 2 })).toEqual(['Row 1', 'Row 2'])
    expect(await subjects({ order: ['actor DESC', 'at ASC'], limit: 1 })).toEqual(['Row 9'])
  })

  test('null is a key that is left out, an empty list no order (D376)', async () => {
    const nothing = { where: null, order: [], limit: null, offset: null, include: null }
    expect(await subjects(nothing)).toEqual(await subjects({}))
  })

  test('fields picks what is shown', async () => {
    const { body } = await list(`page=1&${filter({ fields: ['id', 'subject'], limit: 1 })}`)
    expect(body.data).toEqual([{ id: expect.any(Number), subject: 'Row 25' }])
  })

  test('the bracket form says the same as JSON', async () => {
    const query =
      'page=1&filter[where][details.number][between][0]=4&filter[where][details.number][between][1]=5&filter[order]=at%20ASC'
    const { body } = await list(query)
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['Row 4', 'Row 5'])
  })

  test.each([
    ['text that is not JSON', 'filter={where'],
    ['an array', 'filter=[]'],
    ['an unknown key', `${filter({ where: {}, and: [] })}`],
    ['an unknown field', `${filter({ where: { secret: 1 } })}`],
    ['an unknown operator', `${filter({ where: { subject: { $ne: 1 } } })}`],
    ['a wrong type', `${filter({ where: { id: 'x' } })}`],
    ['a bad date', `${filter({ where: { at: { gt: '2026-02-30' } } })}`],
    ['a prototype', `${filter({ where: { constructor: 1 } })}`],
    ['a backreference', `${filter({ where: { subject: { regexp: '(a)\\1' } } })}`],
    ['a malformed include', `${filter({ include: [7] })}`],
  ])('refuses %s with 400 and says where', async (_what, query) => {
    const { status, body } = await list(`page=1&${query}`)
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
    expect(body.error.message).toMatch(/^filter/)
  })

  test('refuses an unknown query parameter by name', async () => {
    const { status, body } = await list('page=1&sort=at')
    expect(status).toBe(400)
    expect(body.error.message).toContain('sort')
    expect((await service.api.get('/users/me?verbose=1', admin)).status).toBe(400)
  })

  test('takes the largest filter that its own limits allow', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(36, 'x'))
    expect((await list(`page=1&${filter({ where: { subject: { inq: ids } } })}`)).status).toBe(200)
    expect(
      (await list(`page=1&${filter({ where: { subject: { inq: [...ids, 'one more'] } } })}`)).status,
    ).toBe(400)
  })
})

test('paths may be written in any case, and what they name keeps its own (D107)', async () => {
  const raw = createClient(service.url)
  for (const path of ['/api/v1/Users/me', '/API/v1/users/ME', '/api/v1/users/accesstokens']) {
    expect((await raw.get(path, admin)).status, path).toBe(200)
  }
  expect((await raw.delete('/api/v1/Users/AccessTokens/AbC', admin)).body.error.code).toBe('TOKEN_NOT_FOUND')
  const { body } = await raw.get('/api/v1/Calls/AbC%2FdEf', admin)
  expect(body.error.code).toBe('CALL_NOT_FOUND')
})

test('paths may have doubled and trailing slashes (D107)', async () => {
  const raw = createClient(service.url)
  for (const path of ['/api/v1//users/me', '/api/v1/users/me/', '//api//v1///users//me//']) {
    expect((await raw.get(path, admin)).status, path).toBe(200)
    expect((await raw.get(path)).status, path).toBe(401)
  }
})
