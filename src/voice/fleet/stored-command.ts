/** A call that is stored for a voice node, as the node needs it to place the call. */
import type { Grant } from '../../billing/credit/credit.ts'
import type { CallRequest } from '../../engine/port.ts'
import type { CallOwners } from '../calls-here.ts'

export type StoredCommand = {
  accountId: number
  extensionId: number
  request: Omit<CallRequest, 'limits'>
  /** Undefined for a free call. */
  grant?: Grant | undefined
  /** Undefined if a process of an older version placed the call. */
  owners?: CallOwners
}

/** How soon the node must claim a call: a lost notice costs one second. */
export const claimSeconds = 5
