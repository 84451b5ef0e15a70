/** Spec §4.1, calls that were made: the list, one of them, and its recording. */

import { callList } from '../../calls/list/call-list.ts'
import type { CallRow } from '../../calls/list/list-store.ts'
import type { CallDetailRow, CallListing } from '../../calls/list/listing.ts'
import type { RecordingLinks } from '../../calls/recordings/recording-links.ts'
import type { ListenedBy, Recordings } from '../../calls/recordings/recordings.ts'
import { CallDetail, CallRecord } from '../../contract/call-record.ts'
import { listed, PageMeta } from '../../contract/common.ts'
import { refuse, refuseParameter } from '../../contract/errors.ts'
import { Type } from '../../contract/type.ts'
import { readPagedList } from '../../filter/list-query.ts'
import { pageMeta } from '../../filter/page.ts'
import { pickFields, type Selection } from '../../filter/selection.ts'
import { appendMember } from '../../kit/json-text.ts'
import { minutePriceToReais, toReais } from '../../kit/money.ts'
import { checkMay } from '../../users/permissions.ts'
import { checkAddress, checkScope } from '../../users/scopes.ts'
import type { Callers } from '../../users/tokens/callers.ts'
import { type AnyEntry, entry, jsonAnswer } from '../entry.ts'
import { exportAnswer, fileFormat, formatParameter } from '../export.ts'
import { answerSound, soundType } from '../recording-download.ts'
import { pageParameters } from './parameters.ts'

const tag = 'Calls'
const scope = 'calls:read'

type Deps = {
  callListing: CallListing
  recordings: Recordings
  recordingLinks: RecordingLinks
  callers: Callers
  strictPaging: boolean
}

export function callListRoutes(deps: Deps): AnyEntry[] {
  const { callListing, recordings, recordingLinks, strictPaging } = deps
  return [
    entry({
      method: 'GET',
      path: '/calls',
      tag,
      about: 'List the calls of the account, newest first',
      may: 'calls.list',
      scope,
      limit: 'calls.list',
      query: { ...pageParameters(callList), format: formatParameter },
      reply: Type.Object({ data: Type.Array(listed(CallRecord)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER'],
      async run({ caller, query: { format, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const list = readPagedList(callList, query, { timeZone, strictPaging })
        if (file) {
          return await exportAnswer({
            format: file,
            name: 'calls',
            columns: Object.keys(CallRecord.properties).filter((name) => list.fields?.has(name) ?? true),
            pages: callListing.listAll(caller, list),
            write: (row) => writeCall(recordingLinks, row, list.fields),
          })
        }
        const { rows, ...page } = await callListing.list(caller, list)
        const data = rows.map((row) => writeCall(recordingLinks, row, list.fields))
        return jsonAnswer(`{"data":[${data.join(',')}],"meta":${JSON.stringify(pageMeta(list, page))}}`)
      },
    }),
    // D19: one call, and its recording.
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
    ...(['GET', 'HEAD'] as const).map((method) => recordingRoute(method, deps)),
    entry({
      method: 'DELETE',
      path: '/calls/:id/recording',
      tag,
      about: 'Remove the recording of a call for good; the call stays',
      may: 'recordings.revoke',
      scope: 'admin',
      limit: 'other',
      reply: CallRecord,
      errors: ['RECORDING_NOT_FOUND'],
      async run({ caller, params: { id = '' } }) {
        await recordings.remove(caller, id)
        return jsonAnswer(writeCall(recordingLinks, await callListing.find(caller, id)))
      },
    }),
    entry({
      method: 'POST',
      path: '/calls/:id/recording/revoke',
      tag,
      about:
        'Make all links to the recording of a call that were given out so far invalid; record_url is a new one',
      may: 'recordings.revoke',
      scope: 'admin',
      limit: 'other',
      reply: CallRecord,
      errors: ['RECORDING_NOT_FOUND'],
      async run({ caller, params: { id = '' } }) {
        await recordings.revoke(caller, id)
        return jsonAnswer(writeCall(recordingLinks, await callListing.find(caller, id)))
      },
    }),
  ]
}

type Asked = Pick<Parameters<AnyEntry['run']>[0], 'query' | 'credential' | 'address'>

function recordingRoute(method: 'GET' | 'HEAD', { recordings, recordingLinks, callers }: Deps): AnyEntry {
  /** D120: a signature, if there is one, decides; else a token, whose account alone may listen. */
  async function listenedBy(callId: string, { query, credential, address }: Asked): Promise<ListenedBy> {
    const { expires, version = '0', signature } = query
    if (expires !== undefined || signature !== undefined) {
      const link = {
        callId,
        expires: String(expires),
        version: String(version),
        signature: String(signature),
      }
      if (!recordingLinks.isValid(link)) throw refuse('RECORDING_LINK_INVALID')
      return { linkVersion: Number(version) }
    }
    const sent = credential()
    if (sent === undefined) throw refuse('AUTHORIZATION_REQUIRED')
    const caller = await callers.find(sent.token, address, sent.kind)
    if (!caller) throw refuse('INVALID_TOKEN')
    checkAddress(caller, address)
    checkScope(caller, scope)
    checkMay(caller, 'calls.list')
    return { accountId: caller.accountId }
  }

  return entry({
    method,
    path: '/calls/:id/recording',
    tag,
    about: 'The recording of a call, by its signed link or with a token; in parts with Range',
    may: 'anyone',
    scope,
    tokenOptional: true,
    limit: 'other',
    params: { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' },
    query: {
      expires: 'From record_url',
      version: 'From record_url',
      signature: 'From record_url',
      channels: '2, which is the default: a party on each channel; 1: both on one',
      first: 'Who is on channel 1 of 2: extension, which is the default, or caller',
    },
    media: soundType,
    errors: [
      'AUTHORIZATION_REQUIRED',
      'INVALID_TOKEN',
      'SCOPE_REQUIRED',
      'TOKEN_ADDRESS_REFUSED',
      'RECORDING_LINK_INVALID',
      'RECORDING_NOT_FOUND',
      'RANGE_NOT_SATISFIABLE',
      'INVALID_PARAMETER_VALUE',
    ],
    async run({ params: { id = '' }, query, headers, credential, address }) {
      const form = { channels: readChannels(query.channels), first: readFirst(query.first) }
      const by = await listenedBy(id, { query, credential, address })
      return await answerSound(method, headers, await recordings.open(id, by), form)
    },
  })
}

function readChannels(given: unknown): 1 | 2 {
  if (given === undefined || given === '2') return 2
  if (given === '1') return 1
  throw refuseParameter('channels', { en: 'must be 1 or 2', pt: 'deve ser 1 ou 2' })
}

function readFirst(given: unknown): 'extension' | 'caller' {
  if (given === undefined || given === 'extension') return 'extension'
  if (given === 'caller') return 'caller'
  throw refuseParameter('first', { en: 'must be extension or caller', pt: 'deve ser extension ou caller' })
}

/** Metadata, the last property, is copied as it was sent (D12). */
export function writeCall(links: RecordingLinks, row: CallRow, fields?: Selection): string {
  const shown = JSON.stringify(pickFields(fields, present(links, row)))
  if (fields && !fields.has('metadata')) return shown
  return shown === '{}' ? `{"metadata":${row.metadata}}` : appendMember(shown, 'metadata', row.metadata)
}

/** D281: the record of a single call has more than the list shows. */
function writeDetail(links: RecordingLinks, row: CallDetailRow): string {
  const detail: Omit<Type.Static<typeof CallDetail>, 'metadata'> = {
    ...present(links, row),
    // Only once the two were connected.
    transferred_from: row.transferred_at ? row.transfer_of : null,
    transfers: row.transfers.map(({ id, to_number, transferred_at }) => ({
      id,
      to: to_number,
      at: transferred_at?.toISOString() ?? '',
    })),
    quality: row.quality,
    keys: row.keys ?? [],
  }
  return appendMember(JSON.stringify(detail), 'metadata', row.metadata)
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
