/** Requests outside of dialogs, and their final answers. */

import type { RequestOptions } from '../dialog/leg.ts'
import { createRetryingSender } from '../dialog/retrying-sender.ts'
import { newCallId, newTag, type UserAgentCore, withTag } from '../dialog/user-agent-core.ts'
import { formatAddress, tagOf } from '../headers/address.ts'
import type { SipResponse } from '../message/message.ts'
import { buildRequest } from '../message/request.ts'

export function sendOutOfDialogRequest(
  core: UserAgentCore,
  asking: RequestOptions,
): Promise<SipResponse | undefined> {
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
  const send = createRetryingSender(core.transactions, login)
  return new Promise((resolve) => {
    send(request, target, counting, { onFinal: resolve, onFailed: () => resolve(undefined) })
  })
}
