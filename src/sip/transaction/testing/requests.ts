import type { SipRequest } from '../../message/message.ts'
import { buildRequest } from '../../message/request.ts'
import { parseUri } from '../../uri/parse.ts'

type RequestParts = {
  /** For received requests; those we send get theirs from the transaction. */
  via?: string
  cseq?: number
  to?: string
  headers?: (readonly [string, string])[]
  body?: string
}

export function newRequest(
  method: string,
  { via, cseq = 1, to, headers = [], body = '' }: RequestParts = {},
): SipRequest {
  return buildRequest({
    method,
    uri: parseUri('sip:1000@ramal.example'),
    headers: [
      ...(via === undefined ? [] : [['Via', via] as const]),
      ['From', '<sip:ana@ramal.example>;tag=a1'],
      ['To', to ?? '<sip:1000@ramal.example>'],
      ['Call-ID', 'call-1'],
      ['CSeq', `${cseq} ${method}`],
      ...headers,
    ],
    body,
  })
}

export const viaOf = (branch: string, transport = 'UDP') =>
  `SIP/2.0/${transport} 192.0.2.7:5070;branch=${branch}`
