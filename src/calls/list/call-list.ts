/** Fields by which calls are listed and searched (D22: order, D26: names). */
import { CallRecord, shownStatuses } from '../../contract/calls/call-record.ts'
import { resultFieldNames } from '../../contract/calls/call-results.ts'
import { callSides, callTypes } from '../../contract/calls/calls.ts'
import { defineList } from '../../filter/list.ts'

/** Columns for which totals are counted ahead. */
export const startColumn = 'calls.started_at'
export const fromColumn = 'calls.from_number'
export const metadataColumn = 'calls.metadata'
/** Columns that an index has, and no counts. */
export const idColumn = 'calls.id'
export const destinationColumn = 'calls.to_number'

/** Columns of other tables that an index of theirs has. */
export const lookUpOutside: ReadonlySet<string> = new Set(['call_results.outcome', 'call_tags.tag'])

/** D440: what is known of the caller, with its name in caller_values. */
export const callerColumns: ReadonlyMap<string, string> = new Map([
  ['calls.first_name', 'first_name'],
  ['calls.last_name', 'last_name'],
  ['calls.email', 'email'],
  ['calls.caller_number', 'caller_number'],
])

/** D431: links are signed when they are shown; what is compared is their path, or an empty text where there is none. */
const recordingPath = `(case when calls.ended_at is not null and calls.recording in ('spooled', 'stored')
  then '/calls/' || calls.id || '/recording' else '' end)`

/** `sideOf` in SQL (D584). */
const sideSql = "(case when calls.ended_at is not null then coalesce(calls.ended_by, 'service') end)"

function pathOfRecording(url: string): string {
  return /\/calls\/[0-9a-f-]{36}\/recording/.exec(url)?.[0] ?? url
}

export const callList = defineList({
  fields: {
    id: { kind: 'uuid', column: idColumn },
    domain: { kind: 'text', column: 'calls.domain', lowercase: true },
    started_at: { kind: 'instant', column: startColumn },
    answered_at: { kind: 'instant', column: 'calls.answered_at', nullable: true },
    ended_at: { kind: 'instant', column: 'calls.ended_at', nullable: true },
    from: { kind: 'text', column: fromColumn, phone: 'E.164' },
    extension: { aliasOf: 'from' },
    to: { kind: 'text', column: destinationColumn, phone: 'E.164' },
    phone: { aliasOf: 'to' },
    first_name: { kind: 'text', column: 'calls.first_name' },
    last_name: { kind: 'text', column: 'calls.last_name' },
    email: { kind: 'text', column: 'calls.email', lowercase: true },
    BINA: { kind: 'text', column: 'calls.caller_number', nullable: true, phone: 'E.164' },
    user_uuid: { kind: 'uuid', column: 'calls.user_uuid', nullable: true },
    extension_user_uuid: { kind: 'uuid', column: 'calls.extension_user_uuid', nullable: true },
    duration: { kind: 'integer', column: 'calls.duration' },
    call_type: { kind: 'choice', choices: callTypes, column: 'calls.call_type' },
    hangup_cause: { kind: 'text', column: 'calls.hangup_cause', nullable: true },
    ended_by: { kind: 'choice', choices: callSides, column: sideSql, nullable: true },
    status: { kind: 'choice', choices: shownStatuses, column: 'calls.shown_status' },
    minute_price: { kind: 'decimal', scale: 4, column: 'calls.minute_price', nullable: true },
    call_price: { kind: 'decimal', scale: 2, column: 'calls.call_price', nullable: true },
    record_url: { kind: 'text', column: recordingPath, reads: pathOfRecording },
    metadata: { kind: 'json', column: metadataColumn },
    // D592: what came of the call.
    outcome: {
      kind: 'text',
      column: 'call_results.outcome',
      nullable: true,
      lowercase: true,
      through: 'from call_results where call_results.call_id = calls.id and call_results.outcome is not null',
    },
    tags: {
      kind: 'text',
      column: 'call_tags.tag',
      nullable: true,
      lowercase: true,
      through: 'from call_tags where call_tags.call_id = calls.id',
    },
    notes: {
      kind: 'text',
      column: 'call_results.notes',
      nullable: true,
      through: "from call_results where call_results.call_id = calls.id and call_results.notes <> ''",
    },
  },
  shows: Object.keys(CallRecord.properties),
  // D591, D592: the record of the contract stays as it is.
  showsIfNamed: ['recording_lost', ...resultFieldNames],
  order: 'started_at DESC',
  id: idColumn,
  example: {
    where: { started_at: { gte: '2026-11-01' }, from: '1000', 'metadata.lead_id': 4711 },
    order: 'started_at DESC',
    limit: 20,
  },
})
