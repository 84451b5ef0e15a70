/** Requests that follow an INVITE within its own transaction: the ACK of a refusal, and CANCEL. */
import { cseq } from '../../headers/numbers.ts'
import { firstValue, type SipRequest, type SipResponse, values } from '../../message/message.ts'
import { buildRequest, type HeaderPairs } from '../../message/request.ts'

/** RFC 3261, 17.1.1.3: with the tag of whoever refused. */
export function buildAck(invite: SipRequest, refusal: SipResponse): SipRequest {
  const top = ['Via', required(invite, 'Via')] as const
  return follow('ACK', invite, [top], required(refusal, 'To'), [])
}

/** RFC 3261, 9.1. Its Via is put on where it is sent, with the branch of the INVITE. */
export function buildCancel(invite: SipRequest, headers: HeaderPairs): SipRequest {
  return follow('CANCEL', invite, [], required(invite, 'To'), headers)
}

function follow(
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

/** Without these five no message is read or sent. */
function required(message: SipRequest | SipResponse, name: string): string {
  return firstValue(message, name) ?? ''
}
