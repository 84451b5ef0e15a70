/** Routes for results of calls (D592) and outcomes of an account (D593). */
import type { CallListing } from '../../../calls/list/listing.ts'
import type { CallResults } from '../../../calls/results/results.ts'
import { CallDetail } from '../../../contract/calls/call-record.ts'
import { CallChange, CallPatch, Outcomes, OutcomesChoice } from '../../../contract/calls/call-results.ts'
import { Type } from '../../../contract/schema/type.ts'
import type { RecordingLinks } from '../../../recordings/recording-links.ts'
import { type AnyEntry, entry, jsonAnswer } from '../../entry.ts'
import { writeDetail } from './call-list.ts'

const tag = 'Calls'

type Deps = { callResults: CallResults; callListing: CallListing; recordingLinks: RecordingLinks }

export function callResultRoutes({ callResults, callListing, recordingLinks }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'PATCH',
      path: '/calls/:id',
      tag,
      about: 'Say what came of a call: its outcome, tags and notes',
      notes:
        'By the user of the call or an ADMIN, during the call or after it. What is not sent stays as it is; ' +
        'null takes the outcome back. A change is kept in the history and sent as `call-updated`.',
      may: 'calls.update-own',
      scope: ['calls:place', 'admin'],
      limit: 'other',
      body: CallPatch,
      reply: CallDetail,
      errors: ['CALL_NOT_FOUND', 'ACCESS_DENIED'],
      async run({ caller, params: { id = '' }, body }) {
        await callResults.change(caller, id, body)
        return jsonAnswer(writeDetail(recordingLinks, await callListing.find(caller, id)))
      },
    }),
    entry({
      method: 'GET',
      path: '/calls/:id/changes',
      tag,
      about: 'How the outcome, tags and notes of a call came about: its last 100 changes, the newest first',
      may: 'calls.list',
      scope: 'calls:read',
      limit: 'other',
      params: { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' },
      reply: Type.Array(CallChange),
      errors: ['CALL_NOT_FOUND'],
      async run({ caller, params: { id = '' } }) {
        const call = await callListing.find(caller, id)
        const found = await callResults.changes(caller, call.id)
        return found.map(({ at, ...change }) => ({ ...change, at: at.toISOString() }))
      },
    }),
    entry({
      method: 'GET',
      path: '/calls/outcomes',
      tag,
      about: 'List the outcomes that calls of the account may have',
      notes:
        'Until the account sets its own, those that the service suggests, in the language of the account.',
      may: 'calls.list',
      scope: ['calls:read', 'calls:place', 'admin'],
      limit: 'other',
      reply: Outcomes,
      run: async ({ caller }) => ({ outcomes: await callResults.outcomes(caller) }),
    }),
    entry({
      method: 'PUT',
      path: '/calls/outcomes',
      tag,
      about: 'Set the outcomes that calls of the account may have',
      notes: 'Calls keep an outcome that is no longer among them, and are found by it.',
      may: 'accounts.update',
      scope: 'admin',
      limit: 'other',
      body: OutcomesChoice,
      reply: Outcomes,
      run: async ({ caller, body }) => ({ outcomes: await callResults.setOutcomes(caller, body.outcomes) }),
    }),
  ]
}
