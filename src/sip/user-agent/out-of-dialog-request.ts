/** Sends a request outside of any dialog and waits for its final response. */

import { createRetryingSender } from '../dialog/retrying-sender.ts'
import { newCallId, newTag, type UserAgentCore, withTag } from '../dialog/user-agent-core.ts'
import { type Address, formatAddress, tagOf } from '../headers/address.ts'
import type { SipResponse } from '../message/message.ts'
import { buildRequest, type HeaderPairs } from '../message/request.ts'
import type { Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/** A request outside of any dialog. */
export type RequestOptions = {
  method: string
  uri: Uri
  target: Target
  from: Address
  to: Address
  headers?: HeaderPairs
  body?: Buffer
  login?: { username: string; password: string }
  /**
   * The same for all requests of one registration (RFC 3261, 10.2), with a growing CSeq. Answering a challenge takes
   * the next CSeq: the response has the last one used.
   */
  callId?: string
  cseq?: number
}

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
