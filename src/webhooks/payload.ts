/** What a webhook is sent, in the wire's words (spec §6, D84, D85). Composed when it happens, never again. */
import type { CallType } from '../contract/calls.ts'
import { type Cause, causes } from '../contract/causes.ts'
import type { CallEventKind, EventKind } from '../contract/events.ts'

/** Something that happened to a call, with the call as it was then. */
export type CallHappening = {
  kind: CallEventKind
  callId: string
  accountId: number
  domain: string
  /** Who placed it; null for calls that nobody of the account placed. */
  userId: number | null
  userUuid: string | null
  callType: CallType
  /** Who called: the extension or, inbound, the number of the other side. */
  from: string
  to: string
  startedAt: Date
  answeredAt: Date | null
  endedAt: Date | null
  /** Whole seconds (D14). */
  duration: number
  cause: Cause | null
  recordingUrl: string | null
  metadata: Record<string, unknown>
}

export type AccountFacts = { uuid: string; timeZone: string }

type Told = Omit<CallHappening, 'kind'> & { kind: EventKind }

/** Those that tell of a call which is over. */
const final: readonly EventKind[] = ['channel-hangup', 'recording-ready', 'test']

/** The body but for its version, which is the integration's. */
export function composePayload(told: Told, { uuid, timeZone }: AccountFacts, sequence: number): string {
  const local = (moment: Date | null) => (moment ? localTime(moment, timeZone) : '')
  return JSON.stringify({
    eventType: told.kind,
    id: told.callId,
    domain: told.domain,
    // D1: between two extensions of the account, a call is on its way out.
    direction: told.callType === 'inbound' ? 'inbound' : 'outbound',
    caller: told.from,
    called: told.to,
    startedAt: local(told.startedAt),
    answeredAt: local(told.answeredAt),
    ...(final.includes(told.kind) && {
      endedAt: local(told.endedAt),
      duration: told.duration,
      hangupCause: told.cause ?? '',
      hangupCauseCode: told.cause ? String(causes[told.cause]) : '',
      recordUrl: told.recordingUrl ?? '',
    }),
    metadata: told.metadata,
    accountUuid: uuid,
    userUuid: told.userUuid,
    sequence,
    timezone: timeZone,
  })
}

/** The body as it is sent. */
export function withVersion(payload: string, version: string): string {
  return `{"version":${JSON.stringify(version)},${payload.slice(1)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `YYYY-MM-DD HH:MM:SS`, by the clocks of the place. */
function localTime(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return format.format(moment)
}
