/** D605: the events of an account for people, newest first; programs read the feed. */
import type { WebhookType } from '../../contract/webhooks/events.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../../users/caller.ts'
import { hasScope } from '../../users/scopes.ts'
import { feedVersion, isVisible, placeAll } from '../feed.ts'
import type { WriteBody } from '../payload.ts'
import { type LoggedEvent, type LogRow, readLogged, scanEvents } from './event-log-store.ts'

/** Events that one request passes over at most while it looks for those that are asked for. */
const maxScanned = 5_000

export type LogSearch = {
  /** The cursor of the page before. */
  before: number | undefined
  type: WebhookType | undefined
  callId: string | undefined
}

export type LogEntry = Omit<LoggedEvent, 'payload'> & { body: string }
export type LogPage = {
  events: LogEntry[]
  /** Where the next page begins; undefined after the oldest event. */
  next: number | undefined
}

type Deps = { db: Database; writeBody: WriteBody }

export function createEventLog({ db, writeBody }: Deps) {
  /** A page may have fewer events than `limit`, or none, although there are more. */
  async function read(caller: Caller, search: LogSearch, limit: number): Promise<LogPage> {
    const { accountId, user } = caller
    const { before, callId, type } = search
    if (before === undefined) await placeAll(db, accountId)
    const seesAll = user.role === 'ADMIN' && !caller.limits?.scopes && type === undefined
    const scanLimit = seesAll ? limit : maxScanned
    const scanned = await scanEvents(db, { accountId, before, callId, limit: scanLimit })
    const found = scanned.filter((row) => isVisible(caller, row) && (type === undefined || row.kind === type))
    const shown = found.slice(0, limit)
    const ids = shown.map(({ id }) => id)
    const events = await readLogged(db, user.id, ids)
    const isScanOver = scanned.length < scanLimit
    return {
      events: events.map((event) => toEntry(caller, event)),
      next: nextOf({ scanned, found, shown, isScanOver }),
    }
  }

  /** D206: deliveries are shown to tokens that may read integrations. */
  function toEntry(caller: Caller, { payload, deliveries, ...event }: LoggedEvent): LogEntry {
    return {
      ...event,
      deliveries: hasScope(caller, 'admin') ? deliveries : [],
      body: writeBody(payload, feedVersion),
    }
  }

  return { read }
}
export type EventLog = ReturnType<typeof createEventLog>

type Read = { scanned: LogRow[]; found: LogRow[]; shown: LogRow[]; isScanOver: boolean }

function nextOf({ scanned, found, shown, isScanOver }: Read): number | undefined {
  if (found.length > shown.length) return shown.at(-1)?.position
  return isScanOver ? undefined : scanned.at(-1)?.position
}
