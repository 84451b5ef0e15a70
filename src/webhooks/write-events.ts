/**
 * The one writer of events: writes them, with a delivery for every webhook that receives them, in the transaction in
 * which they happen. Either all of it is stored, or nothing.
 */
import { type EventSubject, type EventType, isForAdmins, isOptional } from '../contract/webhooks/events.ts'
import { lockListenersShared } from '../integrations/integrations-store.ts'
import type { Statements } from '../store/connection/pipeline.ts'
import {
  type AccountFacts,
  type EventReceiver,
  type EventRow,
  insertEvents,
  readFacts,
} from './events-store.ts'

export type NewEvent = {
  type: EventType
  accountId: number
  /** The user who may see it besides the ADMINs; ignored for types that only ADMINs see. */
  userId: number | null
  subject: { kind: EventSubject; id: string }
  /** A uuid: events of one stream are numbered, and delivered in this order. The caller holds the lock of its subject. */
  stream: string
  /** The body without its version, which is the integration's. */
  compose: (account: AccountFacts, sequence: number) => string
}

/**
 * Events of one stream must be given in the order in which they happened. D355: a type occurs once a call, in whatever
 * month; repetitions are dropped. Optional types that no webhook lists are dropped. `only` sends the events to one
 * integration, whatever it lists, and keeps them out of the feed.
 */
export async function writeEvents(
  tx: Statements,
  now: Date,
  events: NewEvent[],
  only: number | null = null,
): Promise<EventReceiver[]> {
  const write = await prepareEvents(tx, now, events, only)
  return await write()
}

/**
 * Locks and reads what the events need. Returns what composes and writes them, in one statement: `writeEvents` in two
 * steps.
 */
export async function prepareEvents(
  tx: Statements,
  now: Date,
  events: NewEvent[],
  only: number | null = null,
): Promise<() => Promise<EventReceiver[]>> {
  if (events.length === 0) return async () => []
  const accountIds = [...new Set(events.map(({ accountId }) => accountId))]
  const streams = [...new Set(events.map(({ stream }) => stream))]
  const [, facts] = await Promise.all([
    lockListenersShared(tx, accountIds),
    readFacts(tx, accountIds, streams),
  ])
  return async () => {
    const rows = toRows(events, facts)
    return rows.length > 0 ? await insertEvents(tx, now, rows, only) : []
  }
}

function toRows(events: NewEvent[], facts: Awaited<ReturnType<typeof readFacts>>): EventRow[] {
  const accounts = new Map(facts.accounts.map((account) => [account.id, account]))
  const streams = new Map(facts.streams.map(({ id, last, types }) => [id, { last, types: new Set(types) }]))
  return events.flatMap((event) => {
    const { accountId, stream, subject, type } = event
    const account = accounts.get(accountId)
    const before = streams.get(stream) ?? { last: 0, types: new Set<string>() }
    const isRepeated = subject.kind === 'call' && before.types.has(type)
    if (!account || isRepeated) return []
    if (isOptional(type) && !account.listed.includes(type)) return []
    const sequence = before.last + 1
    streams.set(stream, { last: sequence, types: before.types.add(type) })
    return [
      {
        accountId,
        userId: isForAdmins(type) ? null : event.userId,
        stream,
        sequence,
        type,
        subject,
        payload: event.compose(account, sequence),
      },
    ]
  })
}
