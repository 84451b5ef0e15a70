/** Readers of the API, which go on reading feed, statement, calls and balance during the run. */
import type { FeedEvent, StatementEntry } from '../audit/history.ts'
import type { Office } from './office.ts'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the wire carries what it carries.
export type Wire = any

const pageSize = 1_000
/** Calls on the page that a client follows. */
const liveSize = 20
export const toCentavos = (reais: number) => Math.round(reais * 100)

export function createReaders(world: World) {
  const { scheduler, history } = world
  const cursors = new Map<string, number>()

  /** Whatever is refused for a moment is read again. */
  async function fetch(office: Office, path: string): Promise<Wire> {
    for (;;) {
      const { status, body } = await office.send('GET', path)
      if (status === 200) return body
      await world.wait(1_000)
    }
  }

  async function readFeed(office: Office, reader: string) {
    const key = `${office.domain} ${reader}`
    const after = cursors.get(key) ?? 0
    const sentAt = scheduler.now()
    const { status, body } = await office.send('GET', `/events?after=${after}&limit=200`)
    if (status !== 200) return false
    const { data, cursor, more } = body as Wire
    cursors.set(key, Number(cursor))
    history.push({
      kind: 'feed',
      at: scheduler.now(),
      sentAt,
      reader,
      account: office.domain,
      after,
      cursor: Number(cursor),
      events: data.map(toFeedEvent),
      more,
    })
    return more === true
  }

  /** From its beginning on. */
  async function wholeFeed(office: Office): Promise<FeedEvent[]> {
    const events: FeedEvent[] = []
    for (let after = 0; ; ) {
      const { data, cursor, more } = await fetch(office, `/events?after=${after}&limit=${pageSize}`)
      events.push(...data.map(toFeedEvent))
      after = Number(cursor)
      if (!more) return events
    }
  }

  async function allPages(office: Office, path: string, filter: object = {}): Promise<Wire[]> {
    const rows: Wire[] = []
    const asked = encodeURIComponent(JSON.stringify({ limit: pageSize, ...filter }))
    for (let page = 1; ; page += 1) {
      const { data, meta } = await fetch(office, `${path}?page=${page}&filter=${asked}`)
      rows.push(...data)
      if (meta.nextPage === undefined) return rows
    }
  }

  async function readStatement(office: Office, reader: string) {
    const sentAt = scheduler.now()
    const rows = await allPages(office, '/credits/statement', { order: 'id ASC' })
    const entries: StatementEntry[] = rows.map(({ id, kind, amount, balance, reference }) => ({
      id,
      kind,
      amount: toCentavos(amount),
      balance: toCentavos(balance),
      reference,
    }))
    history.push({ kind: 'statement', at: scheduler.now(), sentAt, reader, account: office.domain, entries })
  }

  async function readLive(office: Office, reader: string) {
    const filter = encodeURIComponent(JSON.stringify({ limit: liveSize }))
    const { status, body } = await office.send('GET', `/calls?page=1&filter=${filter}`)
    if (status !== 200) return
    const calls = (body as Wire).data.map(({ id, status: state }: Wire) => ({ id, status: state }))
    history.push({ kind: 'live', at: scheduler.now(), reader, account: office.domain, calls })
  }

  async function readBalance(office: Office): Promise<number | undefined> {
    const { status, body } = await office.send('GET', '/credits/balance')
    if (status !== 200) return undefined
    const { balance, reserved, available } = body as Record<string, number>
    history.push({
      kind: 'balance',
      at: scheduler.now(),
      account: office.domain,
      balance: toCentavos(balance ?? 0),
      reserved: toCentavos(reserved ?? 0),
      available: toCentavos(available ?? 0),
    })
    return toCentavos(available ?? 0)
  }

  return { readFeed, readStatement, readLive, readBalance, fetch, allPages, wholeFeed }
}
export type Readers = ReturnType<typeof createReaders>

function toFeedEvent(event: Wire): FeedEvent {
  return {
    cursor: Number(event.cursor),
    type: event.eventType,
    subject: event.id,
    sequence: event.sequence,
  }
}
