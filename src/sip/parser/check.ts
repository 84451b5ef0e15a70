/** Parses all mandatory headers once, so that reading them cannot fail later. */
import { cseq, maxForwards } from '../headers/numbers.ts'
import { callId, contacts, from, recordRoutes, routes, to } from '../headers/parties.ts'
import { vias } from '../headers/via.ts'
import type { SipMessage } from '../message/message.ts'
import { malformed } from '../refusal.ts'

export function checkMessage(message: SipMessage) {
  if (vias(message).length === 0) throw malformed('Missing Via')
  from(message)
  to(message)
  callId(message)
  const { method } = cseq(message)
  maxForwards(message)
  contacts(message)
  routes(message)
  recordRoutes(message)
  if (message.kind === 'request' && message.method !== method) throw malformed('CSeq of another method')
}
