/** Reads everything that the API shows of an office when all has settled. */
import { priceBy } from '../audit/checks/money.ts'
import type { FinalState, Rate, ShownCall, ShownCharge, ShownDelivery } from '../audit/history.ts'
import type { Office } from './office.ts'
import { type Readers, toCentavos, type Wire } from './readers.ts'
import type { World } from './world.ts'

/** One in so many calls is explained although it needs no explanation. */
const everyNth = 10

type Deps = { world: World; readers: Readers; rates: readonly Rate[] }

export function createFinalReader({ world, readers, rates }: Deps) {
  const { scheduler } = world
  const { fetch, allPages, wholeFeed } = readers
  const startsAt = world.time().getTime() - scheduler.now()
  const moment = (text: string | null | undefined) =>
    text === null || text === undefined ? null : Date.parse(text) - startsAt

  /** All calls of the simulation have the same rate. */
  const isWhole = (price: number | null, duration: number) =>
    rates[0] && price === priceBy(rates[0], duration)

  const isOfRecorded = ({ extensions }: Office, { from, to }: Wire) =>
    extensions.some(
      ({ isRecorded, number, line }) =>
        isRecorded && [from, to].some((one) => one === number || one === line),
    )

  async function readCall(office: Office, row: Wire, index: number): Promise<ShownCall> {
    const price = row.call_price === null ? null : toCentavos(row.call_price)
    const minutePrice = row.minute_price === null ? null : Math.round(row.minute_price * 10_000)
    const isSample = index % everyNth === 0
    // A price above the credit of the account is forgiven in part.
    const isPayable = row.call_type === 'outbound' && row.duration > 0
    const isExplained = isPayable && (isSample || !isWhole(price, row.duration))
    const explained = isExplained ? await fetch(office, `/calls/${row.id}/events`) : undefined
    const mayBeLost = row.answered_at && row.record_url === '' && isOfRecorded(office, row)
    const detail = mayBeLost ? await fetch(office, `/calls/${row.id}`) : undefined
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
    for (const [index, row] of (await allPages(office, '/calls')).entries())
      calls.push(await readCall(office, row, index))
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
    const numbers = (await fetch(office, '/numbers')).map((row: Wire) => ({
      number: row.number,
      isVerified: row.verified,
      isCalled: row.lastCall !== null,
      outcome: row.lastCall?.outcome ?? null,
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
      numbers,
      extensions,
      integrations,
      recordings,
    }
  }

  return { readFinal }
}
