/**
 * D273: a phone that redirects its calls (302). Its target is dialled as if the phone had dialled it: a call of its own, which
 * the account of the extension pays, within its limits. It begins and ends with the call that was redirected.
 */
import type { Cause } from '../../../contract/calls/causes.ts'
import type { LegFailure } from '../../../sip/dialog/leg.ts'
import { contacts } from '../../../sip/headers/parties.ts'
import type { AcceptedCall, CallEvent, ExtensionName, RejectedCall, Side } from '../../port.ts'

export type Forward = (
  extension: ExtensionName,
  dialled: string,
  hangUp: (cause?: Cause) => void,
) => Promise<AcceptedCall | RejectedCall>

/** What a phone names in a 301 or 302; only the number counts, whatever host it is at. */
export function readRedirect({ status, response }: LegFailure): string | undefined {
  if (!response || (status !== 301 && status !== 302)) return undefined
  const listed = contacts(response)
  const uri = listed === '*' ? undefined : listed[0]?.uri
  if (uri?.scheme === 'tel') return uri.number
  return uri?.scheme === 'sip' || uri?.scheme === 'sips' ? uri.user : undefined
}

type Deps = {
  forward: Forward | undefined
  emit(event: CallEvent): void
  now(): Date
  /** Ends the call that was redirected. */
  hangUp(cause?: Cause): void
}

/** The forwarded call of one call; there is one at most, so that phones cannot forward in circles. */
export function createForwarding({ forward, emit, now, hangUp }: Deps) {
  let accepted: AcceptedCall | undefined
  let isBegun = false
  let isRinging = false
  let ended: { cause: Cause; by: Side } | undefined

  function emitEnd() {
    if (accepted && ended) emit({ callId: accepted.callId, at: now(), type: 'ended', ...ended })
  }

  return {
    mayBegin: () => forward !== undefined && !isBegun,
    /** Where the call goes now, or why it goes nowhere. */
    async begin(extension: ExtensionName, dialled: string): Promise<AcceptedCall | RejectedCall> {
      isBegun = true
      const admitted = forward ? await forward(extension, dialled, hangUp) : undefined
      if (!admitted) return { rejected: 'NORMAL_TEMPORARY_FAILURE' }
      if (!('rejected' in admitted)) accepted = admitted
      emitEnd()
      return admitted
    },
    progressed() {
      if (accepted && !isRinging) emit({ callId: accepted.callId, at: now(), type: 'progress' })
      isRinging = accepted !== undefined
    },
    answered() {
      if (accepted) emit({ callId: accepted.callId, at: now(), type: 'answered' })
    },
    end(cause: Cause, by: Side) {
      if (ended) return
      ended = { cause, by }
      emitEnd()
    },
  }
}
