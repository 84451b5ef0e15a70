/**
 * The calls that a USER sees where the account shows them only their own (D599): calls of an extension that is theirs, if
 * it was theirs then or if they placed the call, and internal calls to it.
 */
import type { CallType } from '../../contract/calls/calls.ts'
import type { Condition } from '../../filter/condition.ts'
import { destinationColumn, fromColumn } from '../list/call-list.ts'
import { leafOf } from '../list/start-range.ts'

export type OwnCalls = {
  userUuid: string
  /** Numbers of the extensions that the user has now. */
  numbers: readonly string[]
}

type OwnedCall = {
  user_uuid: string | null
  extension_user_uuid: string | null
  call_type: CallType
  from_number: string
  to_number: string
}

export function isOwnCall({ userUuid, numbers }: OwnCalls, call: OwnedCall): boolean {
  const isReceived = numbers.includes(call.to_number)
  if (!isReceived && !numbers.includes(call.from_number)) return false
  const isOfUser = call.user_uuid === userUuid || call.extension_user_uuid === userUuid
  return isOfUser || (isReceived && call.call_type === 'internal')
}

/** The same rule for the list. Its first part is one that indexes serve (`readSides`). */
export function ownCondition({ userUuid, numbers }: OwnCalls): Condition {
  const toNumber = leafOf(destinationColumn, { is: 'in', values: numbers })
  const fromNumber = leafOf(fromColumn, { is: 'in', values: numbers })
  const ofUser = { is: 'in', values: [userUuid] } as const
  const internal = leafOf('calls.call_type', { is: 'in', values: ['internal'] })
  return {
    all: [
      { any: [fromNumber, toNumber] },
      {
        any: [
          leafOf('calls.user_uuid', ofUser),
          leafOf('calls.extension_user_uuid', ofUser),
          { all: [internal, toNumber] },
        ],
      },
    ],
  }
}
