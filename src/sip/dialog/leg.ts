/**
 * One leg of a call: an INVITE we sent or received, and the dialog it becomes. Outgoing and incoming legs differ only
 * until they are answered. SDP is passed through unchanged: the owner of the leg negotiates the media.
 */
import type { Address } from '../headers/address.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/** Why an answered leg ended, other than by our own hangUp. */
export type LegEnd = {
  /** `disconnected`: the connection of a WebSocket was closed, which only the peer can open again. */
  why: 'bye' | 'session expired' | 'never acknowledged' | 'unreachable' | 'disconnected'
  /** From a Reason header (RFC 3326). */
  q850?: number
}

/** Why an INVITE of ours failed. `cancelled` is by us. The status is undefined if there was no final response. */
export type LegFailure = {
  status: number | undefined
  why: 'refused' | 'cancelled' | 'timeout' | 'transport'
  q850?: number
  response?: SipResponse
}

/** A REFER: the peer wants its other side connected to somebody else. */
export type Refer = {
  to: Uri
  /** The Call-ID of the dialog that is to be replaced (RFC 3891). Its tags are not needed to find it. */
  replaces: string | undefined
  /** Reports the status of the new leg to the peer; a final one ends the report. */
  progress(status: number): void
}

/** What the peer may do on an answered leg. */
export type LegListener = {
  onEnded(end: LegEnd): void
  /**
   * A re-INVITE or UPDATE with an offer: returns the answer, or a status to refuse with (the session stays unchanged).
   * `from` is where the peer signals from.
   */
  onOffer(offer: Sdp, from: Target): Promise<Sdp | { refuse: number }>
  /** A re-INVITE without an offer: returns our offer. Its answer arrives by `onAnswer`. */
  onOfferRequest(): Promise<Sdp>
  /** The answer to our offer, also to the unchanged one in a re-INVITE that refreshes the session. */
  onAnswer(answer: Sdp, from: Target): void
  /**
   * A request from an address that is not the peer's (D183): calls `accept` if it is the peer nevertheless, or answers
   * it. Without this function it is refused like one of an unknown dialog.
   */
  onForeign?(incoming: IncomingRequest, accept: () => void): void
  /** Returns the status an INFO is answered with. It may arrive while the call is still ringing. */
  onInfo(request: SipRequest): number | Promise<number>
  /** Returns the status that a REFER is answered with; 202 accepts it. Without this function it is declined. */
  onRefer?(refer: Refer): number | Promise<number>
}

export type OutgoingListener = LegListener & {
  /** The first response of any kind, 100 included: the peer exists. */
  onFirstResponse?(): void
  /** 101 to 199, with the SDP of early media if it is new or changed. */
  onProgress(status: number, description: Sdp | undefined): void
  /** A 2xx. If there was no SDP, neither in it nor in an earlier response, `onFailed` is called with 488 instead. */
  onAnswered(description: Sdp | undefined, response: SipResponse): void
  /** Instead of `onAnswered`; nothing follows. */
  onFailed(failure: LegFailure): void
}

/** An answered leg. After `onEnded` or `hangUp` its functions do nothing. */
export type Leg = {
  readonly callId: string
  /** The peer's name and address, as it gave them. */
  readonly remote: Address
  /** Sends BYE, with headers such as Reason. Before the answer it cancels, or refuses with 480. */
  hangUp(headers?: HeaderPairs): void
  /** Sends a re-INVITE; retried after 491 (RFC 3261, 14.1). Undefined if it was refused: the session stays unchanged. */
  offer(description: Sdp): Promise<Sdp | undefined>
  /** Sends the identity of the party that the peer is connected to from now on: P-Asserted-Identity in an UPDATE or re-INVITE (RFC 5876). */
  identify(party: Address): void
  /** Sends an INFO; returns the status of its response. */
  info(body: Buffer, contentType: string): Promise<number>
}

/** An INVITE we sent. */
export type OutgoingLeg = Leg & {
  /** Before the answer: CANCEL, or BYE if a 2xx crosses it; `onFailed` says `cancelled` in both cases. After the answer: hangUp. */
  cancel(headers?: HeaderPairs): void
}

/** An INVITE we received. */
export type IncomingLeg = Leg & {
  readonly request: SipRequest
  readonly flow: Flow
  /** The caller's offer; undefined if the offer is to come from us. */
  readonly remoteOffer: Sdp | undefined
  /** 180, or 183 with SDP. */
  progress(status: number, description?: Sdp): void
  /** 200 with our answer, or with our offer, whose answer arrives by `onAnswer`. Retransmitted until the ACK arrives. */
  accept(description: Sdp, headers?: HeaderPairs): void
  refuse(status: number, headers?: HeaderPairs, phrase?: string): void
  /** To be called before any of the above. `onCancelled` is called instead of everything else. */
  listen(listener: LegListener & { onCancelled(q850?: number): void }): void
}
