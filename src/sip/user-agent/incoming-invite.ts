/**
 * An INVITE we received, until it is answered.
 *
 *   ringing ──▶ answered
 *      └──▶ over             refused by us, cancelled by the caller
 */
import { defined } from '../../kit/defined.ts'
import type { Timer } from '../../kit/timers.ts'
import { createDialog } from '../dialog/dialog.ts'
import { createEarlyOffers } from '../dialog/early-offers.ts'
import type { IncomingLeg } from '../dialog/leg.ts'
import { dependsOnConnection } from '../dialog/next-hop.ts'
import { answerEarlyRequest } from '../dialog/other-requests.ts'
import { createPeerAddresses } from '../dialog/peer-addresses.ts'
import { createReliableProvisionals, reliabilityOf } from '../dialog/reliable-provisionals.ts'
import { createRetryingSender } from '../dialog/retrying-sender.ts'
import { type AnsweredLeg, createAnsweredLeg } from '../dialog/session/answered-leg.ts'
import { sdpBody } from '../dialog/session-description.ts'
import {
  allowHeader,
  contactHeader,
  legKey,
  newTag,
  type Reply,
  refuseOnce,
  reply,
  type UserAgentCore,
  withTag,
} from '../dialog/user-agent-core.ts'
import { cseq } from '../headers/numbers.ts'
import { callId as callIdOf, from, recordRoutes, to } from '../headers/parties.ts'
import { q850Cause } from '../headers/reason.ts'
import type { SipRequest } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { Flow } from '../transport/flow.ts'
import type { CheckedInvite } from './invite-check.ts'

type Listener = Parameters<IncomingLeg['listen']>[0]

/** RFC 3261, 13.3.1.1: proxies cancel an INVITE after three minutes without a response, so a provisional one is repeated. */
const repeatProgressMs = 60_000

export function createIncomingInvite(
  core: UserAgentCore,
  incoming: IncomingRequest,
  { remoteOffer, remoteTarget, session }: CheckedInvite,
  /** The leg is over: the same INVITE, if it arrives again, is a new one. */
  onOver: () => void,
): IncomingLeg {
  const { request, flow } = incoming
  const callId = callIdOf(request)
  const tag = newTag()
  const key = legKey(callId, tag)
  const remote = from(request)
  const dialog = createDialog(core, {
    callId,
    local: withTag(to(request), tag),
    remote,
    remoteTarget,
    routeSet: recordRoutes(request),
    localSequence: 0,
    remoteSequence: cseq(request).number,
    remoteFlow: flow,
    ownsCallId: false,
    send: createRetryingSender(core.transactions, undefined),
  })
  let state: 'ringing' | 'answered' | 'over' = 'ringing'
  let listener: Listener | undefined
  let leg: AnsweredLeg | undefined
  let cancelled: { q850: number | undefined } | undefined
  let repeating: Timer | undefined
  /** Our SDP, once it is in a reliable response: it is not repeated, and the peer may send another offer. */
  let described: Sdp | undefined
  const reliability = reliabilityOf(request)
  const provisionals = createReliableProvisionals(core.timers, request, () => giveUp(504))
  const offers = createEarlyOffers(core, {
    listener: () => listener,
    offerer: 'peer',
    isAnswered: () => described !== undefined,
    onAgreed(_, ours) {
      described = ours
    },
  })

  const peer = createPeerAddresses(flow)
  peer.addFrom(request, flow)
  core.legs.set(key, { receive, receiveForeign, peer, flow: dialog.remoteFlow, closed })
  incoming.onCancel(onCancel)

  function respond(response: Reply) {
    reply(core, incoming, { ...response, toTag: tag })
  }

  function describe(status: number, headers: HeaderPairs, sdp: Sdp | undefined): Reply {
    const carried = sdp && sdpBody(sdp)
    return {
      status,
      headers: [contactHeader(core, flow), ...allowHeader, ...headers, ...(carried?.headers ?? [])],
      ...(carried && { body: carried.body }),
    }
  }

  function progress(status: number, description?: Sdp) {
    if (state !== 'ringing') return
    repeating?.cancel()
    const send = () => {
      sendProgress(status, description)
      repeating = core.timers.after(repeatProgressMs, send)
    }
    send()
  }

  function sendProgress(status: number, description: Sdp | undefined) {
    const isReliable = reliability === 'required' || (reliability && description && !described)
    if (!isReliable) return respond(describe(status, [], described ? undefined : description))
    // RFC 3261, 13.2.1: the first reliable response would have to carry our offer; so the 2xx is the first.
    if (!remoteOffer) return
    const carried = described ? undefined : description
    described ??= description
    provisionals.add({
      hasSdp: carried !== undefined,
      respond: (headers) => respond(describe(status, headers, carried)),
    })
  }

  function accept(description: Sdp, headers: HeaderPairs = []) {
    if (state === 'ringing') provisionals.finish(() => answer(description, headers))
  }

  function answer(description: Sdp, headers: HeaderPairs) {
    if (state !== 'ringing' || !listener) return
    state = 'answered'
    repeating?.cancel()
    leg = createAnsweredLeg(core, {
      dialog,
      listener,
      localSdp: described ?? description,
      terms: session.terms,
      peerMessage: request,
      onOver: forget,
    })
    respond(describe(200, [...session.headers, ...headers], described ? undefined : description))
    leg.awaitAck(incoming, remoteOffer === undefined)
  }

  function refuse(status: number, headers: HeaderPairs = [], reason?: string) {
    if (state !== 'ringing') return
    state = 'over'
    repeating?.cancel()
    provisionals.stop()
    forget()
    respond({ status, headers, ...defined({ reason }) })
  }

  /** The caller is gone. */
  function giveUp(status: number, q850?: number) {
    if (state !== 'ringing') return
    refuse(status)
    cancelled = { q850 }
    listener?.onCancelled(q850)
  }

  function forget() {
    core.legs.delete(key)
    onOver()
  }

  function onCancel(why: SipRequest | undefined) {
    giveUp(487, why && q850Cause(why))
  }

  function receive(within: IncomingRequest) {
    if (leg) return leg.receive(within)
    if (!dialog.isFromPeer(within.request)) {
      if (within.request.method !== 'ACK') reply(core, within, { status: 481 })
    } else if (!dialog.isInOrder(within)) reply(core, within, { status: 500 })
    else if (within.request.method === 'BYE') {
      reply(core, within, { status: 200 })
      onCancel(within.request)
    } else if (within.request.method === 'PRACK') receivePrack(within)
    else answerEarlyRequest(core, within, { listener, offers })
  }

  function receivePrack(within: IncomingRequest) {
    if (provisionals.acknowledge(within.request)) offers.receive(within)
    else reply(core, within, { status: 481 })
  }

  function receiveForeign(within: IncomingRequest, accept: () => void) {
    if (listener?.onForeign) listener.onForeign(within, accept)
    else refuseOnce(core, within, 481)
  }

  function closed(gone: Flow) {
    if (leg) leg.closed(gone)
    else if (dependsOnConnection(dialog.remoteFlow(), gone)) onCancel(undefined)
  }

  return {
    callId,
    remote,
    request,
    flow,
    remoteOffer,
    listen(one) {
      listener = one
      if (cancelled) one.onCancelled(cancelled.q850)
    },
    progress,
    accept,
    refuse,
    /** Before the answer it refuses the INVITE. */
    hangUp: (headers) => (leg ? leg.hangUp(headers) : refuse(480, headers)),
    offer: async (description) => await leg?.offer(description),
    identify: (party) => leg?.identify(party),
    info: async (body, contentType) => (await leg?.info(body, contentType)) ?? 481,
  }
}
