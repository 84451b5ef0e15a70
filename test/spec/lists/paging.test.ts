/** Reading calls page by page while calls start and end (D134, D135). */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { minutes } from '../../helpers/run/test-clock.ts'
import { accountIdOf, changeCall, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '10' })
})
afterAll(async () => {
  vi.resetConfig()
  await service.stop()
})

vi.setConfig({ testTimeout: 180_000 })

const start = Date.UTC(2026, 10, 15, 12)
const pageSize = 12
/** Most writes of a writer: a reader that is slower than the writers must come to an end too. */
const maxWrites = 15

async function openWith(count: number) {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  let made = 0
  /** Numbers and metadata in no particular order, several calls at one time. */
  async function add(number: number, change: object = {}): Promise<string[]> {
    const calls = Array.from({ length: number }, () => {
      made += 1
      const scattered = (made * 7919) % 100
      return {
        started_at: new Date(start + Math.floor(made / 3) * 1000),
        from_number: String(1000 + (scattered % 10)),
        to_number: `55489999${1000 + scattered}`,
        duration: scattered % 5,
        metadata: scattered % 4 === 0 ? {} : { lead: scattered % 4 === 1 ? `text ${scattered}` : scattered },
        ...change,
      }
    })
    return await insertCalls(service.db, accountId, calls)
  }
  async function end(id: string) {
    made += 1
    const change = {
      status: 'completed',
      ended_at: new Date(start + made * 1000),
      hangup_cause: 'NORMAL_CLEARING',
    } as const
    await changeCall(service.db, id, { ...change, duration: made % 9 })
  }
  const old = await add(count)
  const liveIds = await add(10, live('answered'))
  const list = async (query: string) => (await service.api.get(`/calls?${query}`, admin)).body
  return { admin, old, liveIds, add, end, list }
}

type Opened = Awaited<ReturnType<typeof openWith>>

/** Calls start and end for as long as the pages are read. */
async function whileCallsChange<T>({ add, end, liveIds }: Opened, read: () => Promise<T>): Promise<T> {
  let reading = true
  const rest = [...liveIds]
  const write = async () => {
    for (let writes = 0; reading && writes < maxWrites; writes += 1) {
      await add(2)
      const [id] = rest.splice(0, 1)
      if (id !== undefined) await end(id)
    }
  }
  const writers = [write(), write()]
  try {
    return await read()
  } finally {
    reading = false
    await Promise.all(writers)
  }
}

async function readPages({ list, add, end, liveIds }: Opened, asked: object): Promise<string[]> {
  const seen: string[] = []
  const query = filter({ limit: pageSize, ...asked })
  for (let page: number | undefined = 1; page !== undefined; ) {
    const { data, meta }: { data: { id: string }[]; meta: { nextPage?: number } } = await list(
      `page=${page}&${query}`,
    )
    seen.push(...data.map(({ id }) => id))
    // At least this much changes between two pages, however fast the machine.
    await add(3)
    const id = liveIds[page]
    if (id !== undefined) await end(id)
    page = meta.nextPage
  }
  return seen
}

async function readByCursor({ list }: Opened, asked: object): Promise<string[]> {
  const seen: string[] = []
  const query = filter({ limit: pageSize, ...asked })
  let next = 'page=1'
  while (true) {
    const { data, meta } = await list(`${next}&${query}`)
    seen.push(...data.map(({ id }: { id: string }) => id))
    if (meta.nextCursor === undefined) break
    next = `cursor=${meta.nextCursor}`
  }
  return seen
}

/** Newer calls may be seen or not; those that were there are seen once each. */
function expectOnceEach(seen: string[], expected: string[]) {
  const counts = new Map(seen.map((id) => [id, 0]))
  for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1)
  expect(expected.filter((id) => counts.get(id) !== 1)).toEqual([])
}

const openEnd = { started_at: { gte: '2026-11-15T12:00:00Z' } }
const immutable = [
  'started_at DESC',
  'started_at',
  'id DESC',
  'from',
  'to DESC',
  'metadata.lead',
  'first_name,metadata.lead DESC',
]
const mutable = [
  'ended_at DESC',
  'ended_at',
  'duration DESC',
  'duration,started_at DESC',
  'status',
  'call_price DESC',
]

describe('pages counted by the client (D134)', () => {
  test.each(immutable)('ordered by %s show every call that was there exactly once', async (order) => {
    const opened = await openWith(40)
    const before = [...opened.old, ...opened.liveIds]
    const seen = await whileCallsChange(opened, () => readPages(opened, { where: openEnd, order }))
    expectOnceEach(seen, before)
  })

  test.each(mutable)('ordered by %s show every call that was over exactly once', async (order) => {
    const opened = await openWith(40)
    const seen = await whileCallsChange(opened, () => readPages(opened, { where: openEnd, order }))
    expectOnceEach(seen, opened.old)
  })

  test('found by a value of their metadata, or by what changes, show them once as well', async () => {
    const opened = await openWith(30)
    const marked = await opened.add(30, { metadata: { mark: 1 } })
    const seen = await whileCallsChange(opened, () => readPages(opened, { where: { 'metadata.mark': 1 } }))
    expectOnceEach(seen, marked)
    const ended = await whileCallsChange(opened, () =>
      readPages(opened, { where: { ended_at: { neq: null } } }),
    )
    expectOnceEach(ended, [...opened.old, ...marked])
  })

  test('keep their total, and go on while rows follow although calls left the filter', async () => {
    const opened = await openWith(0)
    const calls = [...opened.liveIds, ...(await opened.add(10, live('answered')))]
    const query = filter({ where: { status: 'answered' }, limit: 5 })
    const first = await opened.list(`page=1&${query}`)
    expect(first.meta).toMatchObject({ totalItemCount: 20, totalPageCount: 4, nextPage: 2 })
    const seen: string[] = first.data.map(({ id }: { id: string }) => id)
    for (const id of seen.slice()) await opened.end(id)
    for (const page of [2, 3, 4]) {
      const { data, meta } = await opened.list(`page=${page}&${query}`)
      seen.push(...data.map(({ id }: { id: string }) => id))
      expect([meta.totalItemCount, meta.nextPage]).toEqual([20, page < 4 ? page + 1 : undefined])
    }
    expectOnceEach(seen, calls)
  })

  test('may be asked all at once after the first', async () => {
    const opened = await openWith(60)
    const query = filter({ limit: 10 })
    const first = await opened.list(`page=1&${query}`)
    await opened.add(25)
    const others = await Promise.all([2, 3, 4, 5, 6, 7].map((page) => opened.list(`page=${page}&${query}`)))
    const seen = [first, ...others].flatMap(({ data }) => data.map(({ id }: { id: string }) => id))
    expectOnceEach(seen, [...opened.old, ...opened.liveIds])
  })

  test('start again with the first page, after a quarter of an hour, and with another token', async () => {
    const opened = await openWith(30)
    const query = filter({ limit: 10 })
    const second = async (who = opened.admin) =>
      (await service.api.get(`/calls?page=2&${query}`, who)).body.data[0].id as string
    await opened.list(`page=1&${query}`)
    const pinned = await second()
    const added = await opened.add(10)
    expect(await second()).toBe(pinned)
    const { body } = await service.api.post('/users/accessTokens', { ttl: 3600 }, opened.admin)
    expect(await second({ ...opened.admin, token: body.id })).not.toBe(pinned)
    const { data } = await opened.list(`page=1&${query}`)
    expect(added).toContain(data[0].id)
    const moved = await second()
    expect(moved).not.toBe(pinned)
    await opened.add(10)
    expect(await second()).toBe(moved)
    service.clock.advance(16 * minutes)
    expect(added).toContain(await second())
    service.clock.advance(16 * minutes)
    await service.tick('old page ends')
    expect(await countRows(service.db, 'page_ends')).toBe(0)
  })
})

describe('pages by cursor (D135)', () => {
  test.each([...immutable, ...mutable])(
    'ordered by %s show every call that was over exactly once',
    async (order) => {
      const opened = await openWith(40)
      const seen = await whileCallsChange(opened, () => readByCursor(opened, { where: openEnd, order }))
      expectOnceEach(seen, opened.old)
    },
  )

  test('do not disturb each other', async () => {
    const opened = await openWith(60)
    const both = await Promise.all([readByCursor(opened, {}), readByCursor(opened, {})])
    for (const seen of both) expectOnceEach(seen, [...opened.old, ...opened.liveIds])
  })
})
