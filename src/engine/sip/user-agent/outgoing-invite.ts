/**
 * An INVITE of ours, until it is answered.
 *
 *   calling ──▶ answered        cancelling ends as failed, whatever the other end says by then
 *      ├──▶ cancelling ──▶ over
 *      └─────────────────▲
 */

import { answerEarly } from '../dialog/early.ts'
import type { InviteOptions, LegFailure, OutgoingLeg, OutgoingListener } from '../dialog/leg.ts'
import { dependsOnConnection } from '../dialog/next-hop.ts'
import { createRetryingSender, type SentRequest } from '../dialog/retrying-sender.ts'
import { type AnsweredLeg, createAnsweredLeg } from '../dialog/session/answered-leg.ts'
import { agreedTerms, minSeOf, timerHeaders } from '../dialog/session/session-terms.ts'
import { sdpBody } from '../dialog/session-description.ts'
import {
  allowHeader,
  contactHeader,
  legKey,
  newCallId,
  newTag,
  reply,
  type UserAgentCore,
  withTag,
} from '../dialog/user-agent-core.ts'
import { formatAddress, tagOf } from '../headers/address.ts'
import { from, to } from '../headers/parties.ts'
import { q850Cause } from '../headers/reason.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { buildRequest, type HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { Flow } from '../transport/flow.ts'
import { createForks } from './forks.ts'

export function createOutgoingInvite(
  core: UserAgentCore,
  calling: InviteOptions,
  listener: OutgoingListener,
): OutgoingLeg {
  const callId = newCallId()
  const tag = newTag()
  const local = withTag(calling.from, tag)
  const key = legKey(callId, tag)
  const send = createRetryingSender(core.transactions, calling.login)
  let state: 'calling' | 'cancelling' | 'answered' | 'over' = 'calling'
  let sequence = 0
  let minSe: number | undefined
  let sent: SentRequest | undefined
  let leg: AnsweredLeg | undefined
  let heard = calling.target
  let isHeardOf = false
  let told = ''
  /** What a 2xx that crosses our CANCEL is told, too. */
  let farewell: HeaderPairs = []
  /** A BYE that overtook the 2xx it follows. */
  const hasty = new Map<string | undefined, SipRequest>()
  const forks = createForks(core, { callId, local, uri: calling.uri, send })

  const outgoing = {
    callId,
    remote: withTag(calling.to, undefined),
    cancel,
    hangUp: cancel,
    offer: async (description: Sdp) => await leg?.offer(description),
    info: async (body: Buffer, contentType: string) => (await leg?.info(body, contentType)) ?? 481,
  }

  attempt()
  core.legs.set(key, { receive, closed })

  function attempt() {
    sent = send(
      buildInvite(next()),
      calling.target,
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
    const { headers, body } = sdpBody(calling.offer)
    return buildRequest({
      method: 'INVITE',
      uri: calling.uri,
      headers: [
        ['From', formatAddress(local)],
        ['To', formatAddress(outgoing.remote)],
        ['Call-ID', callId],
        ['CSeq', `${number} INVITE`],
        contactHeader(core, calling.target),
        ...allowHeader,
        ...timerHeaders({ seconds: core.sessionSeconds, minSe }),
        ...(calling.headers ?? []),
        ['User-Agent', core.product],
        ...headers,
      ],
      body,
    })
  }

  /** Whatever they say, somebody is there. */
  function hear(flow: Flow) {
    heard = flow
    if (!isHeardOf) listener.onFirstResponse?.()
    isHeardOf = true
  }

  function progress(response: SipResponse, flow: Flow) {
    hear(flow)
    if (state !== 'calling' || response.status === 100) return
    const news = forks.progress(response, flow)
    // Phones repeat themselves to keep the call alive.
    const line = `${response.status} ${tagOf(to(response))}`
    if (!news || (line === told && !news.early)) return
    told = line
    listener.onProgress(response.status, news.early)
  }

  function answered(response: SipResponse, flow: Flow) {
    hear(flow)
    const made = forks.answered(response, flow, sent?.credentials() ?? [])
    if (!made || made.repeated) return
    const { dialog, description } = made
    if (state !== 'calling' || !description) {
      forks.dismiss(dialog, state === 'calling' ? undefined : farewell)
      // 488 is what we would have said of it, had it been an offer.
      if (state === 'calling') fail({ status: 488, why: 'refused', response })
      else if (state === 'cancelling') fail({ status: undefined, why: 'cancelled' })
      return
    }
    state = 'answered'
    outgoing.remote = dialog.remote
    leg = createAnsweredLeg(core, {
      dialog,
      listener,
      ours: calling.offer,
      terms: agreedTerms(response),
      greeting: response,
      over: leave,
    })
    listener.onAnswered(description, response)
    const bye = hasty.get(tagOf(dialog.remote))
    if (bye) leg.overtaken(bye)
  }

  function refused(response: SipResponse) {
    const wanted = minSeOf(response)
    if (state === 'calling' && wanted !== undefined && minSe === undefined) {
      minSe = wanted
      attempt()
      return
    }
    const q850 = q850Cause(response)
    fail({ status: response.status, why: 'refused', response, ...(q850 !== undefined && { q850 }) })
  }

  function fail(failure: LegFailure) {
    if (state !== 'calling' && state !== 'cancelling') return
    const why = state === 'cancelling' ? 'cancelled' : failure.why
    state = 'over'
    leave()
    listener.onFailed({ ...failure, why })
  }

  /** The INVITE is remembered for half a minute yet: not so what became of it. */
  function leave() {
    core.legs.delete(key)
    sent?.handOver(forks.afterwards(sent.credentials(), farewell))
  }

  function cancel(headers: HeaderPairs = []) {
    if (leg) return leg.hangUp(headers)
    if (state !== 'calling') return
    state = 'cancelling'
    farewell = headers
    sent?.cancel(headers)
  }

  function receive(incoming: IncomingRequest) {
    const { request } = incoming
    if (leg) return leg.receive(incoming)
    if (request.method === 'BYE') {
      reply(core, incoming, { status: 200 })
      if (hasty.size === 0) hasty.set(tagOf(from(request)), request)
    } else answerEarly(core, incoming, listener)
  }

  /** Nobody can answer over a connection that is gone and cannot be made again. */
  function closed(flow: Flow) {
    if (leg) leg.closed(flow)
    else if (dependsOnConnection(heard, flow)) fail({ status: undefined, why: 'transport' })
  }

  return outgoing
}
