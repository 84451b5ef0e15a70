/**
 * One leg of a call: an INVITE we sent or received, and the dialog it becomes. The two kinds differ only until they
 * are answered. What is negotiated over it is the business of whoever holds it: descriptions pass as they are.
 */
import type { Address } from '../headers/address.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/** Why an answered leg is over without our doing. */
export type LegEnd = {
  why: 'bye' | 'session expired' | 'never acknowledged' | 'unreachable'
  /** From a Reason header (RFC 3326). */
  q850?: number
}

/** Why an INVITE of ours came to nothing. `cancelled` is ours; without an answer there is no status. */
export type LegFailure = {
  status: number | undefined
  why: 'refused' | 'cancelled' | 'timeout' | 'transport'
  q850?: number
  response?: SipResponse
}

/** What the other end may do to an answered leg. */
export type LegListener = {
  onEnded(end: LegEnd): void
  /**
   * A re-INVITE or UPDATE with an offer: the answer, or a status to refuse with (the session then stays as it was).
   * A re-INVITE without offer calls `ask` instead: our offer, whose answer arrives by `settled`. So does the answer
   * to a re-INVITE that only kept the session alive: as a rule it says nothing new.
   */
  onOffer(offer: Sdp): Promise<Sdp | { refuse: number }>
  onOfferRequest(): Promise<Sdp>
  onAnswer(answer: Sdp): void
  /** INFO: the status it is answered with. It may come while the call still rings. */
  onInfo(request: SipRequest): number | Promise<number>
}

export type OutgoingListener = LegListener & {
  /** Somebody is there: the first answer of any kind, 100 included. */
  onFirstResponse?(): void
  /** 101 to 199; with the description of early media, if any (each changed one is told). */
  onProgress(status: number, description: Sdp | undefined): void
  /** An answer that describes nothing, early or late, has failed instead, with 488. */
  onAnswered(description: Sdp | undefined, response: SipResponse): void
  /** Instead of `answered`; nothing follows. */
  onFailed(failure: LegFailure): void
}

/** An answered leg. After `ended` or `hangUp` everything here does nothing. */
export type Leg = {
  readonly callId: string
  /** As the other end names itself. */
  readonly remote: Address
  /** Sends BYE; with a cause, a Reason header. Before the answer it cancels, or refuses with 480. */
  hangUp(headers?: HeaderPairs): void
  /** A re-INVITE of ours; retried after 491 (RFC 3261, 14.1). Undefined if it was refused: the session stays as it was. */
  offer(description: Sdp): Promise<Sdp | undefined>
  /** Passes an INFO on; its status. */
  info(body: Buffer, contentType: string): Promise<number>
}

/** An INVITE on its way. */
export type OutgoingLeg = Leg & {
  /** Before the answer: CANCEL, then `failed` with `cancelled`, or, when the answer was quicker, BYE and the same. After it, as hangUp. */
  cancel(headers?: HeaderPairs): void
}

/** An INVITE that came. */
export type IncomingLeg = Leg & {
  readonly request: SipRequest
  readonly flow: Flow
  /** What the caller offered; undefined when we are to offer. */
  readonly remoteOffer: Sdp | undefined
  /** 180, or 183 with a description. */
  progress(status: number, description?: Sdp): void
  /** 200 with our answer (or offer: the answer then comes by `settled`). Repeated until acknowledged. */
  accept(description: Sdp): void
  refuse(status: number, headers?: HeaderPairs): void
  /** Before any of the above. `cancelled` comes instead of everything else. */
  listen(listener: LegListener & { onCancelled(q850?: number): void }): void
}

export type InviteOptions = {
  uri: Uri
  target: Target
  from: Address
  to: Address
  headers?: HeaderPairs
  offer: Sdp
  /** For carriers that challenge. */
  login?: { username: string; password: string }
}

/** An out-of-dialog request and its final answer; undefined after a timeout or a dead connection. */
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
   * The same for all requests of one registration (RFC 3261, 10.2), with a sequence that grows. Each answer to a
   * challenge takes another: the CSeq of the response has the last one used.
   */
  callId?: string
  cseq?: number
}

export type UserAgent = {
  invite(calling: InviteOptions, listener: OutgoingListener): OutgoingLeg
  request(asking: RequestOptions): Promise<SipResponse | undefined>
  /** An INVITE outside of any dialog, well-formed and understood; nothing has been answered yet but 100. Set once. */
  onInvite(listener: (leg: IncomingLeg) => void): void
  /** Any other request outside of dialogs: REGISTER, OPTIONS, MESSAGE… Set once. */
  onRequest(listener: (request: IncomingRequest) => void): void
  /** Legs that live, for the figures: until their last word is answered. */
  legs(): number
}
