/** Which transaction a message belongs to (RFC 3261, 17.1.3 and 17.2.3). */
import { cseq } from '../headers/numbers.ts'
import { callId, from } from '../headers/parties.ts'
import { uniqueBranch, type Via, vias } from '../headers/via.ts'
import { firstValue, type SipRequest, type SipResponse } from '../message/message.ts'
import { formatHostPort } from '../uri/host.ts'
import { formatUri } from '../uri/uri.ts'

/**
 * With method INVITE, it finds the INVITE that an ACK or CANCEL belongs to. Joined, since a template string would keep
 * the text of the whole message in memory for as long as the transaction.
 */
export function serverKey(request: SipRequest, top: Via, method: string): string {
  const branch = uniqueBranch(top)
  if (branch !== undefined) return [method, branch, formatHostPort(top)].join(' ')
  return rfc2543Key(request, method)
}

/**
 * For clients of RFC 2543, whose branch is not unique. The To tag is left out: the ACK has one and its INVITE has not.
 */
function rfc2543Key(request: SipRequest, method: string): string {
  const tag = from(request).params.get('tag') ?? ''
  const parts = [
    callId(request),
    tag,
    cseq(request).number,
    firstValue(request, 'Via'),
    formatUri(request.uri),
  ]
  return [method, ...parts].join('\n')
}

export function clientKey(branch: string, method: string): string {
  return `${method} ${branch}`
}

/** Key and sent-by of the request that a response answers; undefined if it cannot be one of ours. */
export function answeredRequest(response: SipResponse): { key: string; sentBy: string } | undefined {
  const [top, ...below] = vias(response)
  const branch = top && uniqueBranch(top)
  // RFC 3261, 8.1.3.3: a response to us has exactly one Via.
  if (!branch || below.length > 0) return undefined
  return { key: clientKey(branch, cseq(response).method), sentBy: formatHostPort(top) }
}
