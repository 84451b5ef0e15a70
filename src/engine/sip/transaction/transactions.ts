/** The transaction layer as its user sees it: requests and their responses, without sockets or retransmissions. */
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Flow, Target } from '../transport/flow.ts'

export type RequestFailure = 'timeout' | 'transport'

/**
 * What becomes of a request that was sent. A 2xx to an INVITE is told every time it comes (RFC 6026): whoever asked
 * acknowledges each. Other final answers are told once; those to an INVITE are acknowledged below.
 */
export type ResponseListener = {
  onProvisional?(response: SipResponse, flow: Flow): void
  onFinal(response: SipResponse, flow: Flow): void
  onFailed(why: RequestFailure): void
}

export type RequestHandle = {
  /** As it was sent, Via and all; undefined once it is answered. */
  request(): SipRequest | undefined
  /**
   * INVITE only. Waits for a provisional answer before it is sent (RFC 3261, 9.1); after a final one nothing is sent.
   * The INVITE itself still ends with `final` or, 32 s after the CANCEL at the latest, `failed`.
   */
  cancel(headers?: readonly (readonly [string, string])[]): void
}

/** A request that came. Repetitions of it are answered below with the last response given. */
export type IncomingRequest = {
  /** Its top Via carries the true source already. */
  readonly request: SipRequest
  readonly flow: Flow
  /** Any number of provisional ones, then one final. Not for an ACK. After a final one it does nothing. */
  respond(response: SipResponse): void
  /**
   * A final answer that is not kept (RFC 3261, 8.2.7): the request, should it be repeated, is told as a new one. For
   * what costs little to answer and may come in great numbers. Neither an INVITE nor an ACK has it.
   */
  respondOnce?(response: SipResponse): void
  /**
   * INVITE only: our 2xx once more, as the core repeats it until the ACK comes (RFC 3261, 13.3.1.4).
   */
  repeat(): void
  /** INVITE only: called at a CANCEL that came before the final answer; the CANCEL is answered below, the INVITE is not. */
  onCancel(listener: (cancel: SipRequest) => void): void
}

export type Transactions = {
  /** The Via is added here, and, where the message is too large for UDP, TCP is taken (RFC 3261, 18.1.1). */
  request(request: SipRequest, target: Target, listener: ResponseListener): RequestHandle
  /** Once, outside of transactions: the ACK of a 2xx. What is returned sends it again, as it was. */
  send(request: SipRequest, target: Target): () => void
  /** Everything that is not a repetition, a CANCEL of something known or the ACK of a refusal. Set once. */
  onRequest(listener: (incoming: IncomingRequest) => void): void
  /** A connection is gone: whoever was reached by it no longer is. */
  onClosed(listener: (flow: Flow) => void): void
  /** Closes the connection of a flow, if there is one. */
  close(flow: Flow): void
}
