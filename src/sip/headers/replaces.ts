/** Replaces (RFC 3891): `<Call-ID>;to-tag=…;from-tag=…`. */
import { firstValue, type SipRequest } from '../message/message.ts'

/** The Call-ID of the dialog that is to be replaced. */
export function replacedCallId(value: string): string | undefined {
  return value.split(';', 1)[0]?.trim() || undefined
}

export function replaces(request: SipRequest): string | undefined {
  const value = firstValue(request, 'Replaces')
  return value === undefined ? undefined : replacedCallId(value)
}
