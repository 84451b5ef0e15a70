/**
 * An answered leg, whoever called whom.
 *
 *   live ──▶ ending ──▶ over     ending: our BYE waits for their ACK, or for its answer
 *     └────────────────▲
 */
import { allow } from '../../headers/numbers.ts'
import { formatReason, q850Cause } from '../../headers/reason.ts'
import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import type { IncomingRequest, RequestFailure } from '../../transaction/transactions.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Dialog } from '../dialog.ts'
import { answerInfo } from '../early.ts'
import type { LegEnd, LegListener } from '../leg.ts'
import { dependsOnConnection } from '../next-hop.ts'
import { answerOtherRequest } from '../other-requests.ts'
import { sdpOf } from '../session-description.ts'
import { type LegHandler, refuseUnsupported, reply, type UserAgentCore } from '../user-agent-core.ts'
import { createIncomingOffers } from './incoming-offers.ts'
import { createOfferLock } from './offer-lock.ts'
import { createOutgoingOffers } from './outgoing-offers.ts'
import { createPendingAcks } from './pending-acks.ts'
import { createPendingAnswers } from './pending-answers.ts'
import { createSessionRefresh } from './session-refresh.ts'
import type { SessionTerms } from './session-terms.ts'
import { createSessionTimer } from './session-timer.ts'

type Beginning = {
  dialog: Dialog
  listener: LegListener
  /** Our side of the session. */
  ours: Sdp
  terms: SessionTerms | undefined
  /** Their INVITE or 2xx: it says what they can do. */
  greeting: SipMessage
  /** Nothing of it is left. */
  over(): void
}

export function createAnsweredLeg(core: UserAgentCore, { dialog, listener, over, ...beginning }: Beginning) {
  let state: 'live' | 'ending' | 'over' = 'live'
  let { ours } = beginning
  /** The BYE that waits for an ACK. */
  let bye: (() => void) | undefined
  const pendingAnswers = createPendingAnswers()
  const pendingAcks = createPendingAcks({ timers: core.timers, onAck, onTimeout: neverAcknowledged })
  const offerLock = createOfferLock(pendingAcks.pending)
  const session = createSessionTimer({
    timers: core.timers,
    refresh: () => refresh(),
    expired: () => end({ why: 'session expired' }, sayExpired),
  })
  const ourOffers = createOutgoingOffers({ core, dialog, offerLock, session, onLost })
  const theirOffers = createIncomingOffers({
    core,
    dialog,
    listener,
    offerLock,
    pendingAcks,
    session,
    onLocalSdp: (description) => {
      ours = description
    },
  })
  const refresh = createSessionRefresh({
    dialog,
    session,
    byUpdate: allow(beginning.greeting).includes('UPDATE'),
    reInvite: () =>
      ourOffers.offer(
        () => ours,
        (answer) => answer && listener.onAnswer(answer),
      ),
    onLost,
  })
  session.start(beginning.terms)

  function receive(incoming: IncomingRequest) {
    const { request } = incoming
    if (!dialog.isFrom(request)) return refuseUnknown(incoming)
    const inOrder = dialog.follows(incoming)
    if (request.method === 'ACK') return pendingAcks.take(request)
    if (!inOrder) return reply(core, incoming, { status: 500 })
    const refusal = refuseUnsupported(request)
    if (refusal) return reply(core, incoming, refusal)
    if (request.method === 'BYE') return takeBye(incoming)
    if (state !== 'live') return refuseUnknown(incoming)
    if (request.method === 'INVITE' || request.method === 'UPDATE') return theirOffers.take(incoming)
    if (request.method === 'INFO') return void answerInfo(core, incoming, listener)
    answerOtherRequest(core, incoming)
  }

  function refuseUnknown(incoming: IncomingRequest) {
    if (incoming.request.method !== 'ACK') reply(core, incoming, { status: 481 })
  }

  function takeBye(incoming: IncomingRequest) {
    reply(core, incoming, { status: 200 })
    if (state === 'live') ended(incoming.request)
    // Ours need not be sent any more; one that is under way is answered like theirs.
    else if (bye) finish()
  }

  function ended(byBye: SipRequest) {
    const q850 = q850Cause(byBye)
    stop()
    finish()
    listener.onEnded({ why: 'bye', ...(q850 !== undefined && { q850 }) })
  }

  function onAck(ack: SipRequest, awaitedAnswer: boolean) {
    if (state !== 'live') {
      bye?.()
      return
    }
    const answer = awaitedAnswer ? sdpOf(ack) : undefined
    if (answer) listener.onAnswer(answer)
    else if (awaitedAnswer) end({ why: 'never acknowledged' })
    offerLock.next()
  }

  function neverAcknowledged() {
    if (state === 'live') end({ why: 'never acknowledged' })
    else bye?.()
  }

  /** RFC 5057: these answers, and none at all, are about the dialog and not about the request. */
  function onLost(why: SipResponse | RequestFailure) {
    if (why === 'timeout' || (typeof why === 'object' && why.status === 408)) end({ why: 'unreachable' })
    else if (state === 'live') vanish()
  }

  /** Ends it by ourselves, with BYE. */
  function end(why: LegEnd, headers?: HeaderPairs) {
    if (state !== 'live') return
    hangUp(headers)
    listener.onEnded(why)
  }

  /** Ends it where a BYE could reach nobody. */
  function vanish() {
    stop()
    finish()
    listener.onEnded({ why: 'unreachable' })
  }

  function hangUp(headers: HeaderPairs = []) {
    if (state !== 'live') return
    stop()
    const send = () => {
      bye = undefined
      dialog.send('BYE', { headers }, { onFinal: finish, onFailed: finish })
    }
    // RFC 3261, 15: not before the ACK, or before it is certain that none will come.
    if (pendingAcks.pending()) bye = send
    else send()
  }

  /** Nothing more is negotiated; what was asked is answered. */
  function stop() {
    state = 'ending'
    session.stop()
    offerLock.close()
    ourOffers.close()
    theirOffers.close()
    pendingAnswers.close()
  }

  function finish() {
    if (state === 'over') return
    state = 'over'
    bye = undefined
    pendingAcks.stop()
    over()
  }

  function offer(description: Sdp): Promise<Sdp | undefined> {
    return pendingAnswers.wait<Sdp | undefined>(undefined, (settle) =>
      ourOffers.offer(
        () => description,
        (answer, offered) => {
          if (answer) ours = offered
          settle(answer)
        },
      ),
    )
  }

  function info(body: Buffer, contentType: string): Promise<number> {
    return pendingAnswers.wait(481, (settle) => {
      dialog.send(
        'INFO',
        { headers: [['Content-Type', contentType]], body },
        {
          onFinal(response) {
            settle(response.status)
            if (response.status === 481 || response.status === 408) onLost(response)
          },
          onFailed(why) {
            settle(why === 'timeout' ? 408 : 503)
            onLost(why)
          },
        },
      )
    })
  }

  /** A browser that lost its connection cannot be called back. */
  function closed(flow: Flow) {
    if (!dependsOnConnection(dialog.heard(), flow)) return
    if (state === 'live') vanish()
    else finish()
  }

  return {
    receive,
    closed,
    hangUp,
    offer,
    info,
    /** A BYE that came before the 2xx, and was answered then. */
    overtaken(byBye: SipRequest) {
      if (state === 'live') ended(byBye)
    },
    /** Their INVITE was given its 2xx. */
    accepted: pendingAcks.add,
  } satisfies LegHandler & Record<string, unknown>
}
export type AnsweredLeg = ReturnType<typeof createAnsweredLeg>

const sayExpired: HeaderPairs = [
  ['Reason', formatReason({ protocol: 'SIP', cause: 408, text: 'Session expired' })],
]
