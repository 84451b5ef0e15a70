/** D575: what was changed since a time or a cursor, for programs that keep a copy of calls, charges or extensions. */
import type { Charges } from '../../billing/charges/charges.ts'
import { callList } from '../../calls/list/call-list.ts'
import type { CallListing } from '../../calls/list/listing.ts'
import { Extension } from '../../contract/accounts/extensions.ts'
import { ListedCall } from '../../contract/calls/call-record.ts'
import { refuseParameter } from '../../contract/errors.ts'
import { Charge } from '../../contract/money/charges.ts'
import { updatesOf, updatesWithRemoved } from '../../contract/schema/updates.ts'
import type { Extensions } from '../../extensions/extensions.ts'
import { readWhole } from '../../filter/page.ts'
import { beforeChanges, type LastChange, readLastChange } from '../../filter/updates.ts'
import type { RecordingLinks } from '../../recordings/recording-links.ts'
import { type AnyEntry, entry, jsonAnswer, type Query } from '../entry.ts'
import { presentExtension } from './account/extensions.ts'
import { writeCall } from './calls/call-list.ts'
import { presentCharge } from './money/charges.ts'
import { readInstant } from './parameters.ts'

const defaultLimit = 100
const maxLimit = 1000

const query = {
  updated_since: {
    about:
      'Begin with what was changed at this time or later, by the clock of the database; by default with all. A time to come counts as now: nothing is listed, and the changes from now on come behind the cursor.',
    example: '2026-11-15T12:30:00.000Z',
  },
  cursor: 'In place of `updated_since`: that of the last answer',
  limit: `How many at most: 1 to ${maxLimit}, ${defaultLimit} by default`,
}

const notes =
  'Records come in the order of their last change, as they are now. Store them by their id, then keep `cursor` for the ' +
  'next request; a record that changes again comes again. No change is missed, in whatever order changes are stored: a ' +
  'change is listed once all that began before it are stored, usually at once.'

/** A copy has all that the list can show. */
const callFields = new Set([...callList.shows, ...(callList.showsIfNamed ?? [])])

type Deps = {
  callListing: CallListing
  recordingLinks: RecordingLinks
  charges: Charges
  extensions: Extensions
}

export function updateRoutes({ callListing, recordingLinks, charges, extensions }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/calls/updated',
      tag: 'Calls',
      about: 'Catch up with calls that are new or were changed',
      notes: `${notes} A call comes when it is placed, answered, over, priced, and when its recording is stored or removed, or its outcome, tags or notes are changed.`,
      may: 'calls.list',
      scope: 'calls:read',
      limit: 'other',
      query,
      reply: updatesOf(ListedCall, 'CallUpdates'),
      async run({ caller, query: asked }) {
        const { rows, ...end } = await callListing.updated(caller, ...readAsked('uuid', asked))
        const data = rows.map((row) => writeCall(recordingLinks, row, callFields))
        return jsonAnswer(`{"data":[${data.join(',')}],${JSON.stringify(end).slice(1)}`)
      },
    }),
    entry({
      method: 'GET',
      path: '/charges/updated',
      tag: 'Charges',
      about: 'Catch up with charges that are new or were changed',
      notes,
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      query,
      reply: updatesOf(Charge, 'ChargeUpdates'),
      async run({ caller, query: asked }) {
        const { rows, ...end } = await charges.updated(caller, ...readAsked('bigint', asked))
        return { data: rows.map(presentCharge), ...end }
      },
    }),
    entry({
      method: 'GET',
      path: '/extensions/updated',
      tag: 'Extensions',
      about: 'Catch up with extensions that are new, were changed or removed',
      notes: `${notes} A phone that registers, and a \`bina\` that is verified, are no changes of the extension.`,
      may: 'extensions.list',
      scope: ['calls:place', 'calls:read', 'admin'],
      limit: 'other',
      query,
      reply: updatesWithRemoved(Extension, 'ExtensionUpdates'),
      async run({ caller, query: asked }) {
        const { rows, ...end } = await extensions.updated(caller, ...readAsked('bigint', asked))
        return { data: rows.map((row) => presentExtension(caller, row)), ...end }
      },
    }),
  ]
}

function readAsked(kind: 'uuid' | 'bigint', { updated_since: since, cursor, limit }: Query) {
  const most = limit === undefined ? defaultLimit : readWhole(limit, 1, maxLimit, 'limit')
  return [readStart(kind, since, cursor), most] as const
}

function readStart(kind: 'uuid' | 'bigint', since: Query[string], cursor: Query[string]): LastChange {
  if (cursor === undefined)
    return beforeChanges(kind, since === undefined ? since : readInstant('updated_since', since))
  if (since !== undefined) throw refuseParameter('cursor', inPlace)
  return readLastChange(kind, String(cursor))
}

const inPlace = { en: 'takes the place of updated_since', pt: 'substitui o parâmetro updated_since' }
