/** Spec §4.1, calls placed and hung up. */

import {
  Hangup,
  NewCall,
  NewDial,
  NewKeys,
  NewTransfer,
  PlacedCall,
  PlacedDial,
  TransferredCall,
} from '../../../contract/calls/calls.ts'
import { type ErrorCode, refuseParameter } from '../../../contract/errors.ts'
import type { CallIds, Calls } from '../../../placing/calls.ts'
import type { CallTransfers } from '../../../placing/transfers.ts'
import type { InSameTransaction } from '../../../store/idempotency.ts'
import { type AnyEntry, entry } from '../../entry.ts'

const tag = 'Calls'
const placingErrors: ErrorCode[] = [
  'EXTENSION_UNKNOWN',
  'EXTENSION_NOT_REGISTERED',
  'EXTENSION_DO_NOT_DISTURB',
  'INSUFFICIENT_CREDIT',
  'CALL_ALREADY_RINGING',
  'CALL_FAILED',
  'TOO_MANY_CALLS',
  'DESTINATION_NOT_ALLOWED',
  'DAILY_CALL_LIMIT',
  'DAILY_SPENDING_LIMIT',
]

/** D149: how a client says that an equal call may ring beside the first. */
const allowDuplicate = 'X-Allow-Duplicate'
const placingHeaders = {
  [allowDuplicate]: {
    about:
      'true places the call even while one from this extension to this number is ringing, which is refused otherwise',
    example: 'true',
  },
}

const dialerDeprecatedSince = new Date('2026-11-15T00:00:00Z')

const transferErrors: ErrorCode[] = [
  'CALL_NOT_FOUND',
  'CALL_ENDED',
  'CALL_NOT_ANSWERED',
  'CALL_NOT_TRANSFERABLE',
  'EXTENSION_DO_NOT_DISTURB',
  'CALL_FAILED',
  'EXTENSION_UNKNOWN',
  'INSUFFICIENT_CREDIT',
  'TOO_MANY_CALLS',
  'DESTINATION_NOT_ALLOWED',
  'DAILY_CALL_LIMIT',
  'DAILY_SPENDING_LIMIT',
]

type Deps = { calls: Calls; callTransfers: CallTransfers }

export function callRoutes({ calls, callTransfers }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'POST',
      path: '/calls',
      tag,
      about: 'Place a call: the phone of the extension rings, then the destination is dialled',
      may: 'calls.place',
      scope: 'calls:place',
      limit: 'calls.place',
      idempotent: { isVoid: ({ id }) => calls.wasNotTaken(id) },
      headers: placingHeaders,
      body: NewCall,
      answersCall: true,
      reply: PlacedCall,
      errors: placingErrors,
      async run({ caller, body, jsonOf, saveAnswer, headers, isWanted }) {
        const request = {
          ...body,
          metadata: jsonOf('metadata'),
          calledField: 'called' as const,
          allowsDuplicate: allowsDuplicate(headers),
          client: { isWanted },
        }
        const save: InSameTransaction<CallIds> = (tx, { id }) => saveAnswer(tx, ok(id))
        return ok((await calls.place(caller, request, isKeyed(headers) ? save : undefined)).id)
      },
    }),
    entry({
      method: 'POST',
      path: '/dialer',
      tag,
      about: 'Place a call; use POST /calls instead',
      may: 'calls.place',
      scope: 'calls:place',
      limit: 'calls.dial',
      idempotent: { isVoid: ({ callId }) => calls.wasNotTaken(callId) },
      headers: placingHeaders,
      deprecated: { since: dialerDeprecatedSince, successor: '/calls' },
      body: NewDial,
      answersCall: true,
      reply: PlacedDial,
      errors: placingErrors,
      async run({ caller, body: { extension, phone }, jsonOf, saveAnswer, headers, isWanted }) {
        const request = {
          extension,
          metadata: jsonOf('metadata'),
          called: phone,
          calledField: 'phone' as const,
          withDialerId: true,
          allowsDuplicate: allowsDuplicate(headers),
          client: { isWanted },
        }
        const save: InSameTransaction<CallIds> = (tx, placed) => saveAnswer(tx, dialled(placed))
        return dialled(await calls.place(caller, request, isKeyed(headers) ? save : undefined))
      },
    }),
    entry({
      method: 'POST',
      path: '/calls/:id/hangup',
      tag,
      about: 'End a call, by its id or by the one POST /dialer gave',
      may: 'calls.hangup',
      scope: 'calls:place',
      limit: 'calls.hangup',
      withoutDatabase: true,
      answersCall: true,
      reply: PlacedCall,
      errors: ['CALL_NOT_FOUND', 'CALL_ENDED'],
      run: async ({ caller, params: { id = '' } }) => ok(await calls.hangUp(caller, id)),
    }),
    entry({
      method: 'POST',
      path: '/calls/:id/dtmf',
      tag,
      about: 'Press keys in a call that was answered: the destination, or the extension, receives them',
      may: 'calls.keys',
      scope: 'calls:place',
      limit: 'other',
      body: NewKeys,
      reply: PlacedCall,
      errors: ['CALL_NOT_FOUND', 'CALL_ENDED', 'CALL_NOT_ANSWERED'],
      run: async ({ caller, params: { id = '' }, body }) => ok(await calls.pressKeys(caller, id, body)),
    }),
    entry({
      method: 'POST',
      path: '/calls/:id/transfer',
      tag,
      about: 'Transfer an answered call: the extension leaves once the extension or number `to` has answered',
      may: 'calls.transfer',
      scope: 'calls:place',
      limit: 'other',
      body: NewTransfer,
      reply: TransferredCall,
      errors: transferErrors,
      async run({ caller, params: { id = '' }, body }) {
        const transferred = await callTransfers.transfer(caller, id, body.to)
        return { ...ok(transferred.id), transferId: transferred.transferId }
      },
    }),
    entry({
      method: 'POST',
      path: '/calls/hangup',
      tag,
      about: 'End the call named in the body',
      may: 'calls.hangup',
      scope: 'calls:place',
      limit: 'calls.hangup',
      withoutDatabase: true,
      body: Hangup,
      answersCall: true,
      reply: PlacedCall,
      errors: ['CALL_NOT_FOUND', 'CALL_ENDED'],
      run: async ({ caller, body }) => ok(await calls.hangUp(caller, body.id)),
    }),
  ]
}

/** Most requests have no key, and so need no transaction to save their answer in. */
function isKeyed(headers: Record<string, unknown>): boolean {
  return headers['idempotency-key'] !== undefined
}

function allowsDuplicate(headers: Record<string, unknown>): boolean {
  const given = headers[allowDuplicate.toLowerCase()]
  if (given === undefined || /^(false|0)$/i.test(String(given))) return false
  if (/^(true|1)$/i.test(String(given))) return true
  throw refuseParameter(allowDuplicate, noBoolean)
}

const noBoolean = { en: 'must be true or false', pt: 'deve ser true ou false' }

const message = 'successful request'

/** D4, D13: the body that answers placing and hanging up. */
function ok(id: string) {
  return { status: '200' as const, message, id }
}

/** D5: the answer of the deprecated POST /dialer. */
function dialled({ id, dialerId = '' }: CallIds) {
  return { id: dialerId, message, callId: id }
}
