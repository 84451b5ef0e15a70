/** The feed of events skips none, in whatever order transactions commit (D90). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallAnnouncement } from '../../../src/webhooks/payload.ts'
import { announceIn, callOf } from '../../helpers/service/announcements.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '24' })
})
afterAll(() => service.stop())

type Event = { cursor: string; id: string; sequence: number }
type Page = { data: Event[]; cursor: string; more: boolean }

/** Announces in a transaction that commits when `commit` is called. */
function begin(announcement: CallAnnouncement) {
  let commit = () => {}
  let announced = () => {}
  const written = new Promise<void>((resolve) => {
    announced = resolve
  })
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve
  })
  const done = service.db.transaction().execute(async (tx) => {
    await announceIn(service, tx, [announcement])
    announced()
    await mayCommit
  })
  return {
    written,
    async commit() {
      commit()
      await done
    },
  }
}

test('an event that was written first and committed last is not behind any cursor', async () => {
  const ana = await openAccount(service)
  const hangup = async () => ({ ...(await callOf(service, ana.email)), type: 'channel-hangup' as const })
  const [early, late] = [await hangup(), await hangup()]
  const read = async (after: string): Promise<Page> =>
    (await service.api.get(`/events?after=${after}`, ana)).body
  const first = begin(early)
  await first.written
  const second = begin(late)
  await second.written
  await second.commit()
  const before = await read('0')
  expect(before.data.map(({ id }) => id)).toEqual([late.callId])
  await first.commit()
  const after = await read(before.cursor)
  expect(after.data.map(({ id }) => id)).toEqual([early.callId])
  expect((await read('0')).data.map(({ id }) => id)).toEqual([late.callId, early.callId])
})

test('readers beside many writers see every event once, and those of a call in order', async () => {
  const ana = await openAccount(service)
  const template = await callOf(service, ana.email)
  const writers = 10
  const callsEach = 15
  let writing = writers

  async function write() {
    for (let call = 0; call < callsEach; call++) {
      const { callId } = await callOf(service, ana.email)
      for (const type of ['channel-answer', 'channel-hangup'] as const) {
        const one = begin({ ...template, callId, type })
        await one.written
        // Other transactions may commit first here.
        for (let turns = Math.random() * 5; turns > 0; turns--) await service.api.get('/users/me', ana)
        await one.commit()
      }
    }
    writing -= 1
  }

  async function read(limit: number): Promise<Event[]> {
    const seen: Event[] = []
    let cursor = '0'
    for (let last = false; ; ) {
      last = writing === 0
      const { body } = await service.api.get(`/events?after=${cursor}&limit=${limit}`, ana)
      const page: Page = body
      seen.push(...page.data)
      cursor = page.cursor
      if (last && page.data.length === 0) return seen
    }
  }

  const [small, large] = await Promise.all([
    read(3),
    read(1000),
    ...Array.from({ length: writers }, () => write().then(() => [])),
  ])
  const names = (events: Event[] | undefined) => (events ?? []).map(({ id, sequence }) => `${id} ${sequence}`)
  expect(new Set(names(small)).size).toBe(writers * callsEach * 2)
  expect(names(small)).toHaveLength(writers * callsEach * 2)
  expect(names(large)).toEqual(names(small))
  const last = new Map<string, number>()
  for (const { id, sequence } of small ?? []) {
    expect(sequence).toBe((last.get(id) ?? 0) + 1)
    last.set(id, sequence)
  }
})
