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
import type { Failure, Incoming } from '../../transaction/transactions.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Dialog } from '../dialog.ts'
import { answerInfo } from '../early.ts'
import type { LegEnd, LegListener } from '../leg.ts'
import { uses } from '../next-hop.ts'
import { answerPolitely } from '../other-requests.ts'
import { descriptionOf } from '../session-description.ts'
import { type Core, type Live, refuseExtensions, reply } from '../user-agent-core.ts'
import { createTheirOffers } from './incoming-offers.ts'
import { createFloor } from './offer-lock.ts'
import { createOurOffers } from './outgoing-offers.ts'
import { createAcceptances } from './pending-acks.ts'
import { createPledges } from './pending-answers.ts'
import { createRefresh } from './session-refresh.ts'
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

export function createAnsweredLeg(core: Core, { dialog, listener, over, ...beginning }: Beginning) {
  let state: 'live' | 'ending' | 'over' = 'live'
  let { ours } = beginning
  /** The BYE that waits for an ACK. */
  let bye: (() => void) | undefined
  const pledges = createPledges()
  const acceptances = createAcceptances({ timers: core.timers, acknowledged, never: neverAcknowledged })
  const floor = createFloor(acceptances.pending)
  const session = createSessionTimer({
    timers: core.timers,
    refresh: () => refresh(),
    expired: () => end({ why: 'session expired' }, sayExpired),
  })
  const ourOffers = createOurOffers({ core, dialog, floor, session, lost })
  const theirOffers = createTheirOffers({
    core,
    dialog,
    listener,
    floor,
    acceptances,
    session,
    described: (description) => {
      ours = description
    },
  })
  const refresh = createRefresh({
    dialog,
    session,
    byUpdate: allow(beginning.greeting).includes('UPDATE'),
    reInvite: () =>
      ourOffers.offer(
        () => ours,
        (answer) => answer && listener.settled(answer),
      ),
    lost,
  })
  session.start(beginning.terms)

  function receive(incoming: Incoming) {
    const { request } = incoming
    if (!dialog.isFrom(request)) return refuseUnknown(incoming)
    const inOrder = dialog.follows(incoming)
    if (request.method === 'ACK') return acceptances.take(request)
    if (!inOrder) return reply(core, incoming, { status: 500 })
    const refusal = refuseExtensions(request)
    if (refusal) return reply(core, incoming, refusal)
    if (request.method === 'BYE') return takeBye(incoming)
    if (state !== 'live') return refuseUnknown(incoming)
    if (request.method === 'INVITE' || request.method === 'UPDATE') return theirOffers.take(incoming)
    if (request.method === 'INFO') return void answerInfo(core, incoming, listener)
    answerPolitely(core, incoming)
  }

  function refuseUnknown(incoming: Incoming) {
    if (incoming.request.method !== 'ACK') reply(core, incoming, { status: 481 })
  }

  function takeBye(incoming: Incoming) {
    reply(core, incoming, { status: 200 })
    if (state === 'live') ended(incoming.request)
    // Ours need not be sent any more; one that is under way is answered like theirs.
    else if (bye) finish()
  }

  function ended(byBye: SipRequest) {
    const q850 = q850Cause(byBye)
    stop()
    finish()
    listener.ended({ why: 'bye', ...(q850 !== undefined && { q850 }) })
  }

  function acknowledged(ack: SipRequest, awaitedAnswer: boolean) {
    if (state !== 'live') {
      bye?.()
      return
    }
    const answer = awaitedAnswer ? descriptionOf(ack) : undefined
    if (answer) listener.settled(answer)
    else if (awaitedAnswer) end({ why: 'never acknowledged' })
    floor.next()
  }

  function neverAcknowledged() {
    if (state === 'live') end({ why: 'never acknowledged' })
    else bye?.()
  }

  /** RFC 5057: these answers, and none at all, are about the dialog and not about the request. */
  function lost(why: SipResponse | Failure) {
    if (why === 'timeout' || (typeof why === 'object' && why.status === 408)) end({ why: 'unreachable' })
    else if (state === 'live') vanish()
  }

  /** Ends it by ourselves, with BYE. */
  function end(why: LegEnd, headers?: HeaderPairs) {
    if (state !== 'live') return
    hangUp(headers)
    listener.ended(why)
  }

  /** Ends it where a BYE could reach nobody. */
  function vanish() {
    stop()
    finish()
    listener.ended({ why: 'unreachable' })
  }

  function hangUp(headers: HeaderPairs = []) {
    if (state !== 'live') return
    stop()
    const send = () => {
      bye = undefined
      dialog.send('BYE', { headers }, { final: finish, failed: finish })
    }
    // RFC 3261, 15: not before the ACK, or before it is certain that none will come.
    if (acceptances.pending()) bye = send
    else send()
  }

  /** Nothing more is negotiated; what was asked is answered. */
  function stop() {
    state = 'ending'
    session.stop()
    floor.close()
    ourOffers.close()
    theirOffers.close()
    pledges.close()
  }

  function finish() {
    if (state === 'over') return
    state = 'over'
    bye = undefined
    acceptances.stop()
    over()
  }

  function offer(description: Sdp): Promise<Sdp | undefined> {
    return pledges.give<Sdp | undefined>(undefined, (settle) =>
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
    return pledges.give(481, (settle) => {
      dialog.send(
        'INFO',
        { headers: [['Content-Type', contentType]], body },
        {
          final(response) {
            settle(response.status)
            if (response.status === 481 || response.status === 408) lost(response)
          },
          failed(why) {
            settle(why === 'timeout' ? 408 : 503)
            lost(why)
          },
        },
      )
    })
  }

  /** A browser that lost its connection cannot be called back. */
  function closed(flow: Flow) {
    if (!uses(dialog.heard(), flow)) return
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
    accepted: acceptances.add,
  } satisfies Live & Record<string, unknown>
}
export type AnsweredLeg = ReturnType<typeof createAnsweredLeg>

const sayExpired: HeaderPairs = [
  ['Reason', formatReason({ protocol: 'SIP', cause: 408, text: 'Session expired' })],
]
