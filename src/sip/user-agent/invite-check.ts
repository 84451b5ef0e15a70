/** Checks an INVITE outside of any dialog (RFC 3261, 8.2). */

import { contactOf } from '../dialog/dialog.ts'
import { readSdpBody } from '../dialog/session-description.ts'
import { answerTimer, type SessionTerms } from '../dialog/session-terms.ts'
import { type Reply, refuseUnsupported, type UserAgentCore } from '../dialog/user-agent-core.ts'
import { maxForwards } from '../headers/numbers.ts'
import type { SipRequest } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { Uri } from '../uri/uri.ts'

export type CheckedInvite = {
  remoteOffer: Sdp | undefined
  remoteTarget: Uri
  session: { terms: SessionTerms | undefined; headers: HeaderPairs }
}

export function checkInvite(core: UserAgentCore, request: SipRequest): CheckedInvite | { refusal: Reply } {
  // Loop protection: we forward calls, and two such services could call each other for ever.
  if (maxForwards(request) === 0) return { refusal: { status: 483 } }
  if (request.uri.scheme === 'other') return { refusal: { status: 416 } }
  const refusal = refuseUnsupported(request)
  if (refusal) return { refusal }
  const remoteTarget = contactOf(request)
  if (!remoteTarget) return { refusal: { status: 400, reason: 'Missing Contact' } }
  const read = readSdpBody(request)
  if ('refusal' in read) return read
  const session = answerTimer(request, core.sessionSeconds)
  if ('refusal' in session) return session
  return { remoteOffer: read.sdp, remoteTarget, session }
}
