/**
 * An INVITE we received, until it is answered.
 *
 *   ringing ──▶ answered
 *      └──▶ over             refused by us, cancelled by the caller
 */
import type { Timer } from '../../../kit/timers.ts'
import { createDialog } from '../dialog/dialog.ts'
import type { IncomingLeg } from '../dialog/leg.ts'
import { dependsOnConnection } from '../dialog/next-hop.ts'
import { answerEarlyRequest } from '../dialog/other-requests.ts'
import { createPeerAddresses } from '../dialog/peer-addresses.ts'
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
    const response = describe(status, [], description)
    const send = () => {
      respond(response)
      repeating = core.timers.after(repeatProgressMs, send)
    }
    send()
  }

  function accept(description: Sdp) {
    if (state !== 'ringing' || !listener) return
    state = 'answered'
    repeating?.cancel()
    leg = createAnsweredLeg(core, {
      dialog,
      listener,
      localSdp: description,
      terms: session.terms,
      peerMessage: request,
      onOver: forget,
    })
    respond(describe(200, session.headers, description))
    leg.awaitAck(incoming, remoteOffer === undefined)
  }

  function refuse(status: number, headers: HeaderPairs = []) {
    if (state !== 'ringing') return
    state = 'over'
    repeating?.cancel()
    forget()
    respond({ status, headers })
  }

  function forget() {
    core.legs.delete(key)
    onOver()
  }

  function onCancel(why: SipRequest | undefined) {
    if (state !== 'ringing') return
    refuse(487)
    cancelled = { q850: why && q850Cause(why) }
    listener?.onCancelled(cancelled.q850)
  }

  function receive(within: IncomingRequest) {
    if (leg) return leg.receive(within)
    if (!dialog.isFromPeer(within.request)) {
      if (within.request.method !== 'ACK') reply(core, within, { status: 481 })
    } else if (!dialog.isInOrder(within)) reply(core, within, { status: 500 })
    else if (within.request.method === 'BYE') {
      reply(core, within, { status: 200 })
      onCancel(within.request)
    } else answerEarlyRequest(core, within, listener)
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
    info: async (body, contentType) => (await leg?.info(body, contentType)) ?? 481,
  }
}
