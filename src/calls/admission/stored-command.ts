/** A call that is stored for a voice node, as the node needs it to place the call. */
import type { Grant } from '../../billing/credit/credit.ts'
import type { AcceptedCall, CallEvent, CallRequest } from '../../engine/port.ts'

/** Users who may hang up a call (D148), and its second id (D5). */
export type CallOwners = {
  userId: number | null
  extensionUserUuid: string | null
  dialerId?: string | undefined
}

type NewCall = { transferOf?: undefined; request: Omit<CallRequest, 'limits'> }
/** D282: a second call, which takes the place of the extension in another one. */
type SecondCall = { transferOf: string; request: Omit<AcceptedCall, 'limits'> }

export type StoredCommand = (NewCall | SecondCall) & {
  accountId: number
  extensionId: number
  /** Undefined for a free call. */
  grant?: Grant | undefined
  /** Undefined if a process of an older version placed the call. */
  owners?: CallOwners
}

/** Cause of a call that no node took. */
export const notTakenCause = 'NORMAL_TEMPORARY_FAILURE'

/** Cause of a call that was withdrawn, or hung up before a node claimed it. */
export const withdrawnCause = 'ORIGINATOR_CANCEL'

/** How soon the node must claim a call: a lost notice costs one second. */
export const claimSeconds = 5

/** D227: whether somebody still waits for the answer: the client is there, and its request is recent. */
export type Waiter = { isWanted: () => boolean }

/**
 * The first event of a call, undefined if none came in time (D6). D501: `not taken` if no node has taken the call, which
 * then rings nowhere.
 */
export type Placed = CallEvent['type'] | 'not taken' | undefined
