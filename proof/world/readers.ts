/** Readers of the API: some go on reading feed, statement and balance during the run; in the end everything is read. */
import type {
  FeedEvent,
  FinalState,
  ShownCall,
  ShownCharge,
  ShownDelivery,
  StatementEntry,
} from '../audit/history.ts'
import type { Office } from './office.ts'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the wire carries what it carries.
type Wire = any

const pageSize = 1_000
/** Calls on the page that a client follows. */
const liveSize = 20
const toCentavos = (reais: number) => Math.round(reais * 100)

export function createReaders(world: World) {
  const { scheduler, history } = world
  const startsAt = world.time().getTime() - scheduler.now()
  const moment = (text: string | null | undefined) =>
    text === null || text === undefined ? null : Date.parse(text) - startsAt
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

  async function readCall(office: Office, row: Wire): Promise<ShownCall> {
    const price = row.call_price === null ? null : toCentavos(row.call_price)
    const minutePrice = row.minute_price === null ? null : Math.round(row.minute_price * 10_000)
    // A price above the credit of the account is forgiven.
    const isPayable = row.call_type === 'outbound' && row.duration > 0
    const explained = isPayable ? await fetch(office, `/calls/${row.id}/events`) : undefined
    const detail = row.answered_at ? await fetch(office, `/calls/${row.id}`) : undefined
    return {
      id: row.id,
      type: row.call_type,
      status: row.status,
      from: row.from,
      to: row.to,
      startedAt: moment(row.started_at) ?? 0,
      answeredAt: moment(row.answered_at),
      endedAt: moment(row.ended_at),
      duration: row.duration,
      cause: row.hangup_cause,
      price,
      minutePrice,
      key: row.metadata?.key,
      hasRecording: row.record_url !== '',
      isRecordingLost: detail?.recording_lost === true,
      forgiven: toCentavos(explained?.price?.forgiven ?? 0),
    }
  }

  const readDeliveries = async (office: Office, id: number): Promise<ShownDelivery[]> =>
    (await allPages(office, `/integrations/${id}/deliveries`)).map((row) => ({
      type: row.event,
      subject: row.callId,
      sequence: row.sequence,
      status: row.status,
      reason: row.reason,
      attempts: row.attempts,
      lastError: row.lastError,
      nextAt: moment(row.nextAttemptAt),
    }))

  async function readFinal(office: Office): Promise<FinalState> {
    const calls: ShownCall[] = []
    for (const row of await allPages(office, '/calls')) calls.push(await readCall(office, row))
    const recordings: Record<string, number> = {}
    for (const { id } of calls.filter(({ hasRecording }) => hasRecording)) {
      const { status, bytes } = await office.send('GET', `/calls/${id}/recording`)
      recordings[id] = status === 200 ? bytes : 0
    }
    const charges: ShownCharge[] = (await allPages(office, '/charges')).map((row) => ({
      id: row.id,
      key: row.metadata?.key,
      status: row.status,
      amount: toCentavos(row.amount),
      payment: row.paymentId,
    }))
    const shown: Wire[] = await fetch(office, '/integrations')
    const integrations: FinalState['integrations'] = []
    for (const { id, name, types } of office.integrations) {
      const isOn = shown.find((one) => one.id === id)?.webhook === true
      integrations.push({ id: name, types, isOn, deliveries: await readDeliveries(office, id) })
    }
    const extensions = (await fetch(office, '/extensions')).map((row: Wire) => ({
      number: row.ramal,
      firstName: row.first_name,
      isRegistered: row.registered,
    }))
    const feed = await wholeFeed(office)
    const at = scheduler.now()
    return {
      kind: 'final',
      at,
      account: office.domain,
      calls,
      charges,
      feed,
      extensions,
      integrations,
      recordings,
    }
  }

  return { readFeed, readStatement, readLive, readBalance, readFinal, fetch }
}

function toFeedEvent(event: Wire): FeedEvent {
  return {
    cursor: Number(event.cursor),
    type: event.eventType,
    subject: event.id,
    sequence: event.sequence,
  }
}
