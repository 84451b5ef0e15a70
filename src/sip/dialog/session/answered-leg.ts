/**
 * An answered leg, in either direction: a confirmed dialog and its session.
 *
 *   live ──▶ ending ──▶ over     ending: our BYE waits for the peer's ACK, or for its own response
 *     └────────────────▲
 */
import { defined } from '../../../kit/defined.ts'
import { type Address, formatAddress } from '../../headers/address.ts'
import { allow } from '../../headers/numbers.ts'
import { formatReason, q850Cause } from '../../headers/reason.ts'
import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import type { IncomingRequest, RequestFailure } from '../../transaction/transactions.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Dialog } from '../dialog.ts'
import type { LegEnd, LegListener } from '../leg.ts'
import { dependsOnConnection, isWebSocket } from '../next-hop.ts'
import { answerInfo, answerOtherRequest } from '../other-requests.ts'
import { sdpOf } from '../session-description.ts'
import type { SessionTerms } from '../session-terms.ts'
import { refuseUnsupported, reply, type UserAgentCore } from '../user-agent-core.ts'
import { createIncomingOffers } from './incoming-offers.ts'
import { createIncomingRefers } from './incoming-refers.ts'
import { createOfferLock } from './offer-lock.ts'
import { createOutgoingOffers } from './outgoing-offers.ts'
import { createPendingAcks } from './pending-acks.ts'
import { createPendingAnswers } from './pending-answers.ts'
import { createSessionRefresh } from './session-refresh.ts'
import { createSessionTimer } from './session-timer.ts'

type NewLeg = {
  dialog: Dialog
  listener: LegListener
  /** Our side of the session. */
  localSdp: Sdp
  terms: SessionTerms | undefined
  /** The peer's INVITE or 2xx: its Allow header says what the peer supports. */
  peerMessage: SipMessage
  /** The dialog is over: no request of it is pending. */
  onOver(): void
}

export function createAnsweredLeg(core: UserAgentCore, leg: NewLeg) {
  const { dialog, listener, terms, peerMessage, onOver } = leg
  let state: 'live' | 'ending' | 'over' = 'live'
  let { localSdp } = leg
  /** Sends the BYE that waits for an ACK. */
  let sendBye: (() => void) | undefined
  const pendingAnswers = createPendingAnswers()
  const pendingAcks = createPendingAcks({ timers: core.timers, onAck, onTimeout: neverAcknowledged })
  const offerLock = createOfferLock(pendingAcks.isPending)
  const session = createSessionTimer({
    timers: core.timers,
    onRefreshDue: () => refresh(),
    onExpired: () => end({ why: 'session expired' }, sessionExpiredReason),
  })
  const outgoingOffers = createOutgoingOffers({ core, dialog, offerLock, session, onLost })
  const incomingOffers = createIncomingOffers({
    core,
    dialog,
    listener,
    offerLock,
    pendingAcks,
    session,
    onLocalSdp: (description) => {
      localSdp = description
    },
  })
  const incomingRefers = createIncomingRefers({ core, dialog, listener })
  const refresh = createSessionRefresh({
    dialog,
    session,
    peerAllowsUpdate: allow(peerMessage).includes('UPDATE'),
    reInvite: (headers) =>
      outgoingOffers.offer(
        () => localSdp,
        (answer) => answer && onAnswer(answer),
        headers,
      ),
    onLost,
  })
  session.start(terms)

  function receive(incoming: IncomingRequest) {
    const { request } = incoming
    if (!dialog.isFromPeer(request)) return refuseUnknown(incoming)
    const inOrder = dialog.isInOrder(incoming)
    if (request.method === 'ACK') return pendingAcks.receive(request)
    if (!inOrder) return reply(core, incoming, { status: 500 })
    const refusal = refuseUnsupported(request)
    if (refusal) return reply(core, incoming, refusal)
    if (request.method === 'BYE') return receiveBye(incoming)
    if (state !== 'live') return refuseUnknown(incoming)
    if (request.method === 'INVITE' || request.method === 'UPDATE') return incomingOffers.receive(incoming)
    if (request.method === 'INFO') return void answerInfo(core, incoming, listener)
    if (request.method === 'REFER') return void incomingRefers.receive(incoming)
    answerOtherRequest(core, incoming)
  }

  function onAnswer(answer: Sdp) {
    listener.onAnswer(answer, dialog.remoteFlow())
  }

  function refuseUnknown(incoming: IncomingRequest) {
    if (incoming.request.method !== 'ACK') reply(core, incoming, { status: 481 })
  }

  function receiveBye(incoming: IncomingRequest) {
    reply(core, incoming, { status: 200 })
    if (state === 'live') ended(incoming.request)
    // Our own BYE is no longer needed. If it was sent already, the peer answers it.
    else if (sendBye) finish()
  }

  function ended(byBye: SipRequest) {
    const q850 = q850Cause(byBye)
    stop()
    finish()
    listener.onEnded({ why: 'bye', ...defined({ q850 }) })
  }

  function onAck(ack: SipRequest, awaitedAnswer: boolean) {
    if (state !== 'live') {
      sendBye?.()
      return
    }
    const answer = awaitedAnswer ? sdpOf(ack) : undefined
    if (answer) onAnswer(answer)
    else if (awaitedAnswer) end({ why: 'never acknowledged' })
    offerLock.next()
  }

  function neverAcknowledged() {
    if (state === 'live') end({ why: 'never acknowledged' })
    else sendBye?.()
  }

  /** RFC 5057: a 481, a 408 or no response at all ends the dialog, not only the request. */
  function onLost(why: SipResponse | RequestFailure) {
    if (why === 'timeout' || (typeof why === 'object' && why.status === 408)) end({ why: 'unreachable' })
    else if (state === 'live') endWithoutBye(isCutOff(why) ? 'disconnected' : 'unreachable')
  }

  /** A request in flight fails before `closed` is called. */
  function isCutOff(why: SipResponse | RequestFailure): boolean {
    return why === 'transport' && isWebSocket(dialog.remoteFlow())
  }

  /** Ends the leg with a BYE. */
  function end(why: LegEnd, headers?: HeaderPairs) {
    if (state !== 'live') return
    hangUp(headers)
    listener.onEnded(why)
  }

  /** Ends the leg without a BYE: the peer is unreachable. */
  function endWithoutBye(why: LegEnd['why']) {
    stop()
    finish()
    listener.onEnded({ why })
  }

  function hangUp(headers: HeaderPairs = []) {
    if (state !== 'live') return
    stop()
    const send = () => {
      sendBye = undefined
      dialog.send('BYE', { headers }, { onFinal: finish, onFailed: finish })
    }
    // RFC 3261, 15: not before the ACK has arrived or timed out.
    if (pendingAcks.isPending()) sendBye = send
    else send()
  }

  /** Ends all negotiation, and settles all pending promises. */
  function stop() {
    state = 'ending'
    session.stop()
    offerLock.close()
    outgoingOffers.close()
    incomingOffers.close()
    incomingRefers.close()
    pendingAnswers.close()
  }

  function finish() {
    if (state === 'over') return
    state = 'over'
    sendBye = undefined
    pendingAcks.stop()
    onOver()
  }

  function offer(description: Sdp): Promise<Sdp | undefined> {
    return pendingAnswers.wait<Sdp | undefined>(undefined, (settle) =>
      outgoingOffers.offer(
        () => description,
        (answer, offered) => {
          if (answer) localSdp = offered
          settle(answer)
        },
      ),
    )
  }

  function identify(party: Address) {
    if (state === 'live') refresh([['P-Asserted-Identity', formatAddress(party)]])
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

  /** We cannot connect to a browser that lost its connection. */
  function closed(flow: Flow) {
    if (!dependsOnConnection(dialog.remoteFlow(), flow)) return
    if (state === 'live') endWithoutBye('disconnected')
    else finish()
  }

  return {
    receive,
    flow: dialog.remoteFlow,
    closed,
    hangUp,
    offer,
    identify,
    info,
    /** For a BYE that arrived before the 2xx and was answered then. */
    endByEarlyBye(byBye: SipRequest) {
      if (state === 'live') ended(byBye)
    },
    /** To be called after the 2xx to the peer's INVITE was sent. */
    awaitAck: pendingAcks.add,
  }
}
export type AnsweredLeg = ReturnType<typeof createAnsweredLeg>

const sessionExpiredReason: HeaderPairs = [
  ['Reason', formatReason({ protocol: 'SIP', cause: 408, text: 'Session expired' })],
]
