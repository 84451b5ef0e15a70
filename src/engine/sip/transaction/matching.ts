/** Which transaction a message belongs to (RFC 3261, 17.1.3 and 17.2.3). */
import { cseq } from '../headers/numbers.ts'
import { callId, from } from '../headers/parties.ts'
import { uniqueBranch, type Via, vias } from '../headers/via.ts'
import { firstValue, type SipRequest, type SipResponse } from '../message/message.ts'
import { formatHostPort } from '../uri/host.ts'
import { formatUri } from '../uri/uri.ts'

/** ACK and CANCEL find the INVITE they mean by giving its method. */
export function serverKey(request: SipRequest, top: Via, method: string): string {
  const branch = uniqueBranch(top)
  if (branch !== undefined) return `${method} ${branch} ${formatHostPort(top)}`
  return olderKey(request, method)
}

/**
 * For those who follow RFC 2543, whose branch names nothing. The tag of To is left out: the ACK has one where its
 * INVITE had none.
 */
function olderKey(request: SipRequest, method: string): string {
  const tag = from(request).params.get('tag') ?? ''
  const parts = [
    callId(request),
    tag,
    cseq(request).number,
    firstValue(request, 'Via'),
    formatUri(request.uri),
  ]
  return `${method} ${parts.join('\n')}`
}

export function clientKey(branch: string, method: string): string {
  return `${method} ${branch}`
}

/** What a response says of the request it answers; undefined where that cannot be one of ours. */
export function answeredRequest(response: SipResponse): { key: string; sentBy: string } | undefined {
  const [top, ...below] = vias(response)
  const branch = top && uniqueBranch(top)
  // RFC 3261, 8.1.3.3: what we ask has one Via, and so has what answers us.
  if (!branch || below.length > 0) return undefined
  return { key: clientKey(branch, cseq(response).method), sentBy: formatHostPort(top) }
}
