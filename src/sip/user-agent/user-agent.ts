/** The user agent: makes and takes calls, and passes every request within a dialog to its leg. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { IncomingLeg, OutgoingLeg, OutgoingListener } from '../dialog/leg.ts'
import {
  type LegHandler,
  legKey,
  newTag,
  refuseOnce,
  reply,
  type UserAgentCore,
} from '../dialog/user-agent-core.ts'
import { tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { callId, from, to } from '../headers/parties.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { IncomingRequest, Transactions } from '../transaction/transactions.ts'
import type { Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import { createIncomingInvite } from './incoming-invite.ts'
import { checkInvite } from './invite-check.ts'
import { type RequestOptions, sendOutOfDialogRequest } from './out-of-dialog-request.ts'
import { createOutgoingInvite, type InviteOptions } from './outgoing-invite.ts'

export type UserAgent = {
  invite(options: InviteOptions, listener: OutgoingListener): OutgoingLeg
  /** Resolves with the final response; undefined after a timeout or if the connection is lost. */
  request(options: RequestOptions): Promise<SipResponse | undefined>
  /**
   * A valid INVITE outside of any dialog, not answered yet except with 100. Set once. `answers` is called before anything
   * else is made of such an INVITE; it returns true if it has answered it.
   */
  onInvite(listener: (leg: IncomingLeg) => void, answers?: (incoming: IncomingRequest) => boolean): void
  /** Any other request outside of dialogs: REGISTER, OPTIONS, MESSAGE… Set once. */
  onRequest(listener: (request: IncomingRequest) => void): void
  /** How many legs are live, for the metrics: until their last request is answered. */
  legs(): number
  /** Ids of the connections that live legs are reached by. */
  connectionsInUse(): ReadonlySet<number>
}

type Deps = {
  transactions: Transactions
  timers: Timers
  /** Our Contact towards that peer. */
  contact(target: Target): Uri
  /** Our name in User-Agent and Server headers. */
  product: string
  /** Session interval (RFC 4028). */
  sessionSeconds?: number
  log: Pick<Log, 'error'>
  random?: () => number
}

/** Methods that only exist within a dialog. */
const inDialogMethods = new Set(['BYE', 'CANCEL', 'INFO', 'PRACK', 'UPDATE'])

export function createUserAgent(deps: Deps): UserAgent {
  const { transactions, timers, contact, product, sessionSeconds = 1800, log, random = Math.random } = deps
  const core: UserAgentCore = {
    transactions,
    timers,
    contact,
    product,
    sessionSeconds,
    log,
    random,
    legs: new Map(),
  }
  /** Live INVITEs by Call-ID, CSeq and From tag: one that arrives by a second path is a merged request (RFC 3261, 8.2.2.2). */
  const invites = new Set<string>()
  let onInvite: (leg: IncomingLeg) => void = (leg) => leg.refuse(503)
  let isAnswered: (incoming: IncomingRequest) => boolean = () => false
  let onRequest: (request: IncomingRequest) => void = (incoming) =>
    reply(core, incoming, { status: 503, toTag: newTag() })

  transactions.onRequest((incoming) => {
    const { request } = incoming
    const tag = tagOf(to(request))
    const leg = tag === undefined ? undefined : core.legs.get(legKey(callId(request), tag))
    if (leg) receiveWithin(leg, incoming)
    else if (request.method === 'ACK') return
    else if (tag !== undefined || inDialogMethods.has(request.method)) refuseOnce(core, incoming, 481)
    else if (request.method === 'INVITE') receiveInvite(incoming)
    else onRequest(incoming)
  })

  transactions.onClosed((flow) => {
    for (const leg of [...core.legs.values()]) leg.closed(flow)
  })

  /** D183: a dialog is bound to the addresses of its peer. */
  function receiveWithin(leg: LegHandler, incoming: IncomingRequest) {
    const { address } = incoming.flow.remote
    if (leg.peer.has(address)) return leg.receive(incoming)
    leg.receiveForeign(incoming, () => {
      leg.peer.add(address)
      leg.receive(incoming)
    })
  }

  function receiveInvite(incoming: IncomingRequest) {
    if (isAnswered(incoming)) return
    const identity = identityOf(incoming.request)
    if (invites.has(identity)) return refuseOnce(core, incoming, 482)
    const checked = checkInvite(core, incoming.request)
    if ('refusal' in checked) return reply(core, incoming, { ...checked.refusal, toTag: newTag() })
    invites.add(identity)
    const leg = createIncomingInvite(core, incoming, checked, () => invites.delete(identity))
    try {
      onInvite(leg)
    } catch (err) {
      core.log.error({ err }, 'an incoming call could not be handled')
      leg.refuse(500)
    }
  }

  return {
    invite: (options, listener) => createOutgoingInvite(core, options, listener),
    request: (options) => sendOutOfDialogRequest(core, options),
    onInvite(listener, answers = () => false) {
      onInvite = listener
      isAnswered = answers
    },
    onRequest(listener) {
      onRequest = listener
    },
    legs: () => core.legs.size,
    connectionsInUse() {
      const flows = [...core.legs.values()].map((leg) => leg.flow())
      return new Set(flows.flatMap((flow) => ('connection' in flow ? (flow.connection ?? []) : [])))
    },
  }
}

function identityOf(request: SipRequest): string {
  return [callId(request), cseq(request).number, tagOf(from(request))].join(' ')
}
