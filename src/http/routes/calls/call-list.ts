/** Spec §4.1, calls that were made: the list, and one of them. */
import { sideOf } from '../../../calls/call.ts'
import { callList } from '../../../calls/list/call-list.ts'
import type { CallRow, LiveCallRow } from '../../../calls/list/list-store.ts'
import type { CallDetailRow, CallListing, ShownCall } from '../../../calls/list/listing.ts'
import { noResult } from '../../../calls/results/result.ts'
import type { CallResults } from '../../../calls/results/results.ts'
import { CallDetail, type CallRecord, ListedCall } from '../../../contract/calls/call-record.ts'
import { resultFieldNames } from '../../../contract/calls/call-results.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields, type Selection } from '../../../filter/selection.ts'
import { appendMember } from '../../../kit/text/json-text.ts'
import { minutePriceToReais, toReais } from '../../../kit/text/money.ts'
import type { RecordingLinks } from '../../../recordings/recording-links.ts'
import { type AnyEntry, entry, jsonAnswer } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { readDialect, sheetParameter } from '../../spreadsheet.ts'
import { pageParameters } from '../parameters.ts'
import { callSheet } from './call-sheet.ts'

const tag = 'Calls'
const scope = 'calls:read'
/** D592: what came of a call is at the end, after the columns that files had before. */
const fileColumns = [...callList.shows, ...resultFieldNames]

type Deps = {
  callListing: CallListing
  callResults: Pick<CallResults, 'outcomes'>
  recordingLinks: RecordingLinks
  exports: Exports
  strictPaging: boolean
}

export function callListRoutes(deps: Deps): AnyEntry[] {
  const { callListing, callResults, recordingLinks, exports, strictPaging } = deps
  return [
    entry({
      method: 'GET',
      path: '/calls',
      tag,
      about: 'List the calls of the account, newest first',
      may: 'calls.list',
      scope,
      limit: 'calls.list',
      query: { ...pageParameters(callList), format: formatParameter, sheet: sheetParameter },
      moreColumns: resultFieldNames,
      reply: Type.Object({ data: Type.Array(listed(ListedCall)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'EXPORT_RUNNING'],
      async run({ caller, query: { format, sheet, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const outcomes = sheet === undefined ? [] : await callResults.outcomes(caller)
        const dialect = readDialect(sheet, timeZone, callSheet(outcomes))
        const list = readPagedList(callList, query, { timeZone, strictPaging })
        if (file) {
          const columns = list.fields ?? new Set(fileColumns)
          return await exports.answer(caller, {
            format: file,
            name: 'calls',
            columns: [...columns],
            dialect,
            pages: callListing.listAll(caller, list, columns),
            write: (row) => writeCall(recordingLinks, row, list.fields),
            cells: (row) => cellsOf(recordingLinks, row),
          })
        }
        const { rows, ...page } = await callListing.list(caller, list)
        const data = rows.map((row) => writeCall(recordingLinks, row, list.fields))
        return jsonAnswer(`{"data":[${data.join(',')}],"meta":${JSON.stringify(pageMeta(list, page))}}`)
      },
    }),
    // D19: one call.
    entry({
      method: 'GET',
      path: '/calls/:id',
      tag,
      about: 'Show one call',
      may: 'calls.list',
      scope,
      limit: 'other',
      reply: CallDetail,
      errors: ['CALL_NOT_FOUND'],
      run: async ({ caller, params: { id = '' } }) =>
        jsonAnswer(writeDetail(recordingLinks, await callListing.find(caller, id))),
    }),
  ]
}

/** Metadata, the last property, is copied as it was sent (D12). */
export function writeCall(links: RecordingLinks, row: ShownCall, fields?: Selection): string {
  const shown = JSON.stringify(fields ? pickFields(fields, presentAll(links, row)) : present(links, row))
  if (fields && !fields.has('metadata')) return shown
  return shown === '{}' ? `{"metadata":${row.metadata}}` : appendMember(shown, 'metadata', row.metadata)
}

/** Tags are one cell, with commas between them. */
function cellsOf(links: RecordingLinks, row: ShownCall) {
  const shown = presentAll(links, row)
  return { ...shown, tags: shown.tags.join(', '), metadata: metadataCell(row) }
}

/** As it was sent (D12): parsing would change numbers. */
const metadataCell = ({ metadata }: CallRow) => (metadata === 'null' ? null : metadata)

/** D281: the record of a single call has more than the list shows. */
export function writeDetail(links: RecordingLinks, row: CallDetailRow): string {
  const detail: Omit<Type.Static<typeof CallDetail>, 'metadata'> = {
    ...present(links, row),
    transferred_from: transferredFrom(row),
    transfers: row.transfers.map(({ id, to_number, transferred_at }) => ({
      id,
      to: to_number,
      at: transferred_at?.toISOString() ?? '',
    })),
    recording_lost: row.recording === 'lost',
    quality: row.quality,
    keys: row.keys ?? [],
    ...presentResult(row),
  }
  return appendMember(JSON.stringify(detail), 'metadata', row.metadata)
}

/** D641: with the call that was transferred to it. */
export function writeLiveCall(links: RecordingLinks, row: LiveCallRow): string {
  return appendMember(writeCall(links, row), 'transferred_from', JSON.stringify(transferredFrom(row)))
}

/** Only once the two were connected. */
const transferredFrom = ({
  transferred_at,
  transfer_of,
}: Pick<LiveCallRow, 'transferred_at' | 'transfer_of'>) => (transferred_at ? transfer_of : null)

/** D591: with what only `fields` brings. */
function presentAll(links: RecordingLinks, row: ShownCall) {
  return { ...present(links, row), recording_lost: row.recording === 'lost', ...presentResult(row) }
}

function presentResult({ result: { outcome, tags, notes } = noResult }: ShownCall) {
  return { outcome, tags: [...tags], notes }
}

/** D15: prices are null until the call is priced. */
function present(links: RecordingLinks, row: CallRow): Omit<Type.Static<typeof CallRecord>, 'metadata'> {
  return {
    id: row.id,
    domain: row.domain,
    call_type: row.call_type,
    status: row.shown_status,
    started_at: row.started_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    from: row.from_number,
    to: row.to_number,
    duration: row.duration,
    hangup_cause: row.hangup_cause,
    ended_by: sideOf(row),
    record_url: links.linkOf(row),
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    BINA: row.caller_number,
    user_uuid: row.user_uuid,
    extension_user_uuid: row.extension_user_uuid,
    minute_price: row.minute_price === null ? null : minutePriceToReais(row.minute_price),
    call_price: row.call_price === null ? null : toReais(row.call_price),
  }
}
