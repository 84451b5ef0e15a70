/**
 * An INVITE we sent, until it is answered.
 *
 *   calling ──▶ answered        cancelling ends as failed, whatever the peer answers
 *      ├──▶ cancelling ──▶ over
 *      └─────────────────▲
 */

import { defined } from '../../kit/defined.ts'
import { createEarlyOffers } from '../dialog/early-offers.ts'
import type { LegFailure, OutgoingLeg, OutgoingListener } from '../dialog/leg.ts'
import { dependsOnConnection } from '../dialog/next-hop.ts'
import { answerEarlyRequest } from '../dialog/other-requests.ts'
import { createPeerAddresses } from '../dialog/peer-addresses.ts'
import { createRetryingSender, type SentRequest } from '../dialog/retrying-sender.ts'
import { type AnsweredLeg, createAnsweredLeg } from '../dialog/session/answered-leg.ts'
import { sdpBody } from '../dialog/session-description.ts'
import { agreedTerms, minSeOf, timerHeaders } from '../dialog/session-terms.ts'
import {
  allowHeader,
  contactHeader,
  legKey,
  newCallId,
  newTag,
  refuseOnce,
  reply,
  type UserAgentCore,
  withTag,
} from '../dialog/user-agent-core.ts'
import { type Address, formatAddress, tagOf } from '../headers/address.ts'
import { requires } from '../headers/numbers.ts'
import { from, to } from '../headers/parties.ts'
import { q850Cause } from '../headers/reason.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { buildRequest, type HeaderPairs, toHeaders } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import { createForks } from './forks.ts'

export type InviteOptions = {
  uri: Uri
  target: Target
  from: Address
  to: Address
  headers?: HeaderPairs
  offer: Sdp
  /** Headers that depend on the rest of the INVITE. */
  sign?(request: SipRequest): HeaderPairs
  /** Credentials for carriers that challenge the INVITE. */
  login?: { username: string; password: string }
}

export function createOutgoingInvite(
  core: UserAgentCore,
  options: InviteOptions,
  listener: OutgoingListener,
): OutgoingLeg {
  const callId = newCallId()
  const tag = newTag()
  const local = withTag(options.from, tag)
  const key = legKey(callId, tag)
  const send = createRetryingSender(core.transactions, options.login)
  let state: 'calling' | 'cancelling' | 'answered' | 'over' = 'calling'
  let sequence = 0
  let minSe: number | undefined
  let requires100rel = false
  /** Our side of the session; an early offer of the peer may change it. */
  let localSdp = options.offer
  let sent: SentRequest | undefined
  let leg: AnsweredLeg | undefined
  let remoteFlow = options.target
  const peer = createPeerAddresses(options.target)
  let hasResponded = false
  let lastProgress = ''
  /** Headers of our CANCEL, and of the BYE to a 2xx that crosses it. */
  let cancelHeaders: HeaderPairs = []
  /** A BYE that arrived before the 2xx of its dialog, by remote tag. */
  const earlyByes = new Map<string | undefined, SipRequest>()
  const forks = createForks(core, { callId, local, uri: options.uri, target: options.target, send })
  const offers = createEarlyOffers(core, {
    listener: () => listener,
    offerer: 'us',
    isAnswered: (incoming) => state === 'calling' && forks.isAnswered(incoming),
    onAgreed(incoming, ours, theirs) {
      localSdp = ours
      forks.offered(incoming, theirs)
    },
  })

  const outgoing = {
    callId,
    remote: withTag(options.to, undefined),
    cancel,
    hangUp: cancel,
    offer: async (description: Sdp) => await leg?.offer(description),
    identify: (party: Address) => leg?.identify(party),
    info: async (body: Buffer, contentType: string) => (await leg?.info(body, contentType)) ?? 481,
  }

  attempt()
  core.legs.set(key, { receive, receiveForeign, peer, flow: () => leg?.flow() ?? remoteFlow, closed })

  function attempt() {
    sent = send(
      buildInvite(next()),
      options.target,
      { next, isOvertaken: () => false },
      {
        onProvisional: progress,
        onFinal: (response, flow) => (response.status < 300 ? answered(response, flow) : refused(response)),
        onFailed: (why) => fail({ status: undefined, why }),
      },
    )
  }

  function next(): number {
    sequence += 1
    return sequence
  }

  function buildInvite(number: number): SipRequest {
    const { headers, body } = sdpBody(options.offer)
    const request = buildRequest({
      method: 'INVITE',
      uri: options.uri,
      headers: [
        ['From', formatAddress(local)],
        ['To', formatAddress(outgoing.remote)],
        ['Call-ID', callId],
        ['CSeq', `${number} INVITE`],
        contactHeader(core, options.target),
        ...allowHeader,
        ...timerHeaders({ seconds: core.sessionSeconds, minSe }),
        ...(requires100rel ? ([['Require', '100rel']] as const) : []),
        ...(options.headers ?? []),
        ['User-Agent', core.product],
        ...headers,
      ],
      body,
    })
    if (!options.sign) return request
    return { ...request, headers: [...request.headers, ...toHeaders(options.sign(request))] }
  }

  /** Any response shows that the peer exists. */
  function noteResponse(response: SipResponse, flow: Flow) {
    remoteFlow = flow
    peer.addFrom(response, flow)
    if (!hasResponded) listener.onFirstResponse?.()
    hasResponded = true
  }

  function progress(response: SipResponse, flow: Flow) {
    noteResponse(response, flow)
    if (state !== 'calling' || response.status === 100) return
    const progressed = forks.progress(response, flow)
    // Phones repeat provisional responses, so that proxies do not cancel the call.
    const summary = `${response.status} ${tagOf(to(response))}`
    if (!progressed || (summary === lastProgress && !progressed.early)) return
    lastProgress = summary
    listener.onProgress(response.status, progressed.early)
  }

  function answered(response: SipResponse, flow: Flow) {
    noteResponse(response, flow)
    const made = forks.answered(response, flow, sent?.credentials() ?? [])
    if (!made || made.repeated) return
    const { dialog, description } = made
    if (state !== 'calling' || !description) {
      forks.dismiss(dialog, state === 'calling' ? undefined : cancelHeaders)
      // Without SDP there is no session: reported as 488, the status for unacceptable SDP.
      if (state === 'calling') fail({ status: 488, why: 'refused', response })
      else if (state === 'cancelling') fail({ status: undefined, why: 'cancelled' })
      return
    }
    state = 'answered'
    outgoing.remote = dialog.remote
    leg = createAnsweredLeg(core, {
      dialog,
      listener,
      localSdp,
      terms: agreedTerms(response),
      peerMessage: response,
      onOver: leave,
    })
    listener.onAnswered(description, response)
    const bye = earlyByes.get(tagOf(dialog.remote))
    if (bye) leg.endByEarlyBye(bye)
  }

  function refused(response: SipResponse) {
    const peerMinSe = minSeOf(response)
    if (state === 'calling' && peerMinSe !== undefined && minSe === undefined) {
      minSe = peerMinSe
      attempt()
      return
    }
    // D271: a carrier that talks to nobody without reliable provisional responses.
    if (state === 'calling' && response.status === 421 && !requires100rel && wants100rel(response)) {
      requires100rel = true
      attempt()
      return
    }
    const q850 = q850Cause(response)
    fail({ status: response.status, why: 'refused', response, ...defined({ q850 }) })
  }

  function fail(failure: LegFailure) {
    if (state !== 'calling' && state !== 'cancelling') return
    const why = state === 'cancelling' ? 'cancelled' : failure.why
    state = 'over'
    leave()
    listener.onFailed({ ...failure, why })
  }

  /** The INVITE transaction lives half a minute longer; it must not keep the leg in memory. */
  function leave() {
    core.legs.delete(key)
    sent?.handOver(forks.listenAfterwards(sent.credentials(), cancelHeaders))
  }

  function cancel(headers: HeaderPairs = []) {
    if (leg) return leg.hangUp(headers)
    if (state !== 'calling') return
    state = 'cancelling'
    cancelHeaders = headers
    sent?.cancel(headers)
  }

  function receive(incoming: IncomingRequest) {
    const { request } = incoming
    if (leg) return leg.receive(incoming)
    if (request.method === 'BYE') {
      reply(core, incoming, { status: 200 })
      if (earlyByes.size === 0) earlyByes.set(tagOf(from(request)), request)
    } else if (!forks.isInOrder(incoming)) reply(core, incoming, { status: 500 })
    else answerEarlyRequest(core, incoming, { listener, offers })
  }

  function receiveForeign(incoming: IncomingRequest, accept: () => void) {
    if (listener.onForeign) listener.onForeign(incoming, accept)
    else refuseOnce(core, incoming, 481)
  }

  /** No response can arrive once a connection that we cannot reopen is closed. */
  function closed(flow: Flow) {
    if (leg) leg.closed(flow)
    else if (dependsOnConnection(remoteFlow, flow)) fail({ status: undefined, why: 'transport' })
  }

  return outgoing
}

function wants100rel(response: SipResponse): boolean {
  return requires(response).some((name) => name.toLowerCase() === '100rel')
}
