/** Keys that phones and carriers send as INFO: `application/dtmf-relay` with a line `Signal=5`, or `application/dtmf`. */
import { contentType } from '../../../../sip/headers/numbers.ts'
import type { SipRequest } from '../../../../sip/message/message.ts'

/** Some write the event codes of RFC 4733 for these two keys. */
const eventCodes: Record<string, string> = { '10': '*', '11': '#' }

/** Undefined if the INFO is about something else. */
export function readInfoKey(request: SipRequest): string | undefined {
  const type = contentType(request)?.toLowerCase().split(';', 1)[0]?.trim()
  const body = request.body.toString('latin1')
  const written =
    type === 'application/dtmf-relay'
      ? /^\s*Signal\s*=\s*(\S{1,2})\s*$/im.exec(body)?.[1]
      : type === 'application/dtmf'
        ? body.trim()
        : undefined
  const key = eventCodes[written ?? ''] ?? written?.toUpperCase()
  return key !== undefined && /^[0-9*#A-D]$/.test(key) ? key : undefined
}
