import type { Header } from './header.ts'

/** 400 malformed, 505 another version of SIP, 513 too large. */
export type RefusalStatus = 400 | 505 | 513

/** The part of a request that a response is built from. */
export type Answerable = { readonly method: string; readonly headers: readonly Header[] }

/**
 * The only error that parsing a message throws. If `request` is set it is answered with the status; otherwise (a
 * response, an ACK, no Via…) no answer is possible and the message is dropped.
 */
export class SipRefusal extends Error {
  override readonly name = 'SipRefusal'
  readonly status: RefusalStatus
  readonly request: Answerable | undefined

  constructor(status: RefusalStatus, reason: string, request?: Answerable) {
    // Without a stack trace: under a flood of malformed messages, making them would cost more than parsing.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(reason)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.request = request
  }
}

export function malformed(reason: string): SipRefusal {
  return new SipRefusal(400, reason)
}
