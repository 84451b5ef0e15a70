/** Sends a request outside of any dialog and waits for its final response. */

import type { RequestOptions } from '../dialog/leg.ts'
import { createRetryingSender } from '../dialog/retrying-sender.ts'
import { newCallId, newTag, type UserAgentCore, withTag } from '../dialog/user-agent-core.ts'
import { formatAddress, tagOf } from '../headers/address.ts'
import type { SipResponse } from '../message/message.ts'
import { buildRequest } from '../message/request.ts'

export function sendOutOfDialogRequest(
  core: UserAgentCore,
  options: RequestOptions,
): Promise<SipResponse | undefined> {
  const { method, uri, target, from, to, headers = [], login, callId = newCallId() } = options
  let sequence = options.cseq ?? 1
  const numbers = {
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
    ...(options.body && { body: options.body }),
  })
  const send = createRetryingSender(core.transactions, login)
  return new Promise((resolve) => {
    send(request, target, numbers, { onFinal: resolve, onFailed: () => resolve(undefined) })
  })
}
