/**
 * The live calls of this process and whose they are, in memory: so a call can be hung up while the database is away
 * (D242).
 */
import type { CallOwners } from '../calls/admission/stored-command.ts'
import type { CallEvent } from '../engine/port.ts'

export type CallHere = CallOwners & { id: string; accountId: number }

export function createCallsHere() {
  const calls = new Map<string, CallHere>()
  const idOf = new Map<string, string>()

  return {
    add(call: CallHere) {
      calls.set(call.id, call)
      if (call.dialerId !== undefined) idOf.set(call.dialerId, call.id)
    },
    /** By either id. */
    find: (key: string) => calls.get(idOf.get(key) ?? key),
    onEvent({ type, callId }: CallEvent) {
      if (type !== 'ended') return
      const dialerId = calls.get(callId)?.dialerId
      calls.delete(callId)
      if (dialerId !== undefined) idOf.delete(dialerId)
    },
  }
}
export type CallsHere = ReturnType<typeof createCallsHere>
