/** Requests outside of dialogs, and their final answers. */

import type { Asking } from '../dialog/leg.ts'
import { createSend } from '../dialog/retrying-sender.ts'
import { type Core, newCallId, newTag, withTag } from '../dialog/user-agent-core.ts'
import { formatAddress, tagOf } from '../headers/address.ts'
import type { SipResponse } from '../message/message.ts'
import { buildRequest } from '../message/request.ts'

export function ask(core: Core, asking: Asking): Promise<SipResponse | undefined> {
  const { method, uri, target, from, to, headers = [], login, callId = newCallId() } = asking
  let sequence = asking.cseq ?? 1
  const counting = {
    next() {
      sequence += 1
      return sequence
    },
    isOvertaken: () => false,
  }
  const request = buildRequest({
    method,
    uri,
    headers: [
      ['From', formatAddress(withTag(from, tagOf(from) ?? newTag()))],
      ['To', formatAddress(to)],
      ['Call-ID', callId],
      ['CSeq', `${sequence} ${method}`],
      ...headers,
      ['User-Agent', core.product],
    ],
    ...(asking.body && { body: asking.body }),
  })
  const send = createSend(core.transactions, login)
  return new Promise((resolve) => {
    send(request, target, counting, { final: resolve, failed: () => resolve(undefined) })
  })
}
