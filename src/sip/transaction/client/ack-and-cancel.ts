/** Builds the ACK of a non-2xx response, and CANCEL, from their INVITE. */
import { cseq } from '../../headers/numbers.ts'
import { firstValue, type SipRequest, type SipResponse, values } from '../../message/message.ts'
import { buildRequest, type HeaderPairs } from '../../message/request.ts'

/** RFC 3261, 17.1.1.3: with the To of the response. */
export function buildAck(invite: SipRequest, response: SipResponse): SipRequest {
  const top = ['Via', required(invite, 'Via')] as const
  return build('ACK', invite, [top], required(response, 'To'), [])
}

/** RFC 3261, 9.1. The transmitter adds the Via, with the branch of the INVITE. */
export function buildCancel(invite: SipRequest, headers: HeaderPairs): SipRequest {
  return build('CANCEL', invite, [], required(invite, 'To'), headers)
}

function build(
  method: string,
  invite: SipRequest,
  top: HeaderPairs,
  to: string,
  more: HeaderPairs,
): SipRequest {
  const routes = values(invite, 'Route').map((route) => ['Route', route] as const)
  return buildRequest({
    method,
    uri: invite.uri,
    headers: [
      ...top,
      ...routes,
      ['From', required(invite, 'From')],
      ['To', to],
      ['Call-ID', required(invite, 'Call-ID')],
      ['CSeq', `${cseq(invite).number} ${method}`],
      ...more,
    ],
  })
}

/** Present in every message: the parser rejects those without. */
function required(message: SipRequest | SipResponse, name: string): string {
  return firstValue(message, name) ?? ''
}
