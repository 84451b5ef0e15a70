/** The transaction layer as its user sees it: requests and their responses, without sockets or retransmissions. */
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Flow, Target } from '../transport/flow.ts'

export type RequestFailure = 'timeout' | 'transport'

/**
 * Receives the responses to a request. `onFinal` is called for every retransmission of a 2xx to an INVITE (RFC 6026):
 * the listener sends the ACK. It is called once for other final responses; the transaction sends the ACK of those.
 */
export type ResponseListener = {
  onProvisional?(response: SipResponse, flow: Flow): void
  onFinal(response: SipResponse, flow: Flow): void
  onFailed(why: RequestFailure): void
}

export type RequestHandle = {
  /** As it was sent, with its Via; undefined after the final response. */
  request(): SipRequest | undefined
  /**
   * INVITE only. The CANCEL waits for a provisional response (RFC 3261, 9.1); after a final one it is not sent. The
   * INVITE itself still ends with `onFinal` or, 32 s after the CANCEL at the latest, with `onFailed`.
   */
  cancel(headers?: readonly (readonly [string, string])[]): void
}

/** A request we received. Its retransmissions are answered by the transaction with the last response. */
export type IncomingRequest = {
  /** With the source address in its top Via (`received`). */
  readonly request: SipRequest
  readonly flow: Flow
  /** Sends any number of provisional responses, then one final. Does nothing after that, and for an ACK. */
  respond(response: SipResponse): void
  /**
   * Sends a final response that is not kept (RFC 3261, 8.2.7): a retransmission of the request counts as a new one. For
   * requests that are cheap to answer and may be many, and whose source may be forged. Not for ACK.
   */
  respondOnce?(response: SipResponse): void
  /** INVITE only: sends the 2xx again. The dialog retransmits it until the ACK arrives (RFC 3261, 13.3.1.4). */
  repeat(): void
  /** INVITE only: called for a CANCEL before the final response. The transaction answers the CANCEL, not the INVITE. */
  onCancel(listener: (cancel: SipRequest) => void): void
}

export type Transactions = {
  /** Adds the Via, and switches to TCP if the message is too large for UDP (RFC 3261, 18.1.1). */
  request(request: SipRequest, target: Target, listener: ResponseListener): RequestHandle
  /** Sends without a transaction: the ACK of a 2xx. The returned function sends it again. */
  send(request: SipRequest, target: Target): () => void
  /** Called for every new request; not for retransmissions, CANCELs of known INVITEs and ACKs of non-2xx responses. Set once. */
  onRequest(listener: (incoming: IncomingRequest) => void): void
  /** A connection is closed. */
  onClosed(listener: (flow: Flow) => void): void
  /** Closes the connection of a flow, if it has one. */
  close(flow: Flow): void
}
