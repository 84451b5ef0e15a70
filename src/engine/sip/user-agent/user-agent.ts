/** The user agent: makes and takes calls, and hands every request within a dialog to the leg it belongs to. */
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { IncomingLeg, UserAgent } from '../dialog/leg.ts'
import { legKey, newTag, reply, type UserAgentCore } from '../dialog/user-agent-core.ts'
import { tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { callId, from, to } from '../headers/parties.ts'
import type { SipRequest } from '../message/message.ts'
import type { IncomingRequest, Transactions } from '../transaction/transactions.ts'
import type { Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import { createIncomingInvite } from './incoming-invite.ts'
import { checkInvite } from './invite-check.ts'
import { sendOutOfDialogRequest } from './out-of-dialog-request.ts'
import { createOutgoingInvite } from './outgoing-invite.ts'

type Deps = {
  transactions: Transactions
  timers: Timers
  /** Our Contact towards that peer. */
  contact(target: Target): Uri
  /** What we are called in User-Agent and Server. */
  product: string
  /** How long a session goes on without a sign of life. */
  sessionSeconds?: number
  log: Pick<Log, 'error'>
  random?: () => number
}

/** Without a dialog they mean nothing. */
const withinOnly = new Set(['BYE', 'CANCEL', 'INFO', 'PRACK', 'UPDATE'])

export function createUserAgent({ sessionSeconds = 1800, random = Math.random, ...deps }: Deps): UserAgent {
  const core: UserAgentCore = { ...deps, sessionSeconds, random, legs: new Map() }
  /** INVITEs that live, by what makes them the same whatever way they came (RFC 3261, 8.2.2.2). */
  const invites = new Set<string>()
  let onInvite: (leg: IncomingLeg) => void = (leg) => leg.refuse(503)
  let onOther: (request: IncomingRequest) => void = (incoming) =>
    reply(core, incoming, { status: 503, toTag: newTag() })

  core.transactions.onRequest((incoming) => {
    const { request } = incoming
    const tag = tagOf(to(request))
    const leg = tag === undefined ? undefined : core.legs.get(legKey(callId(request), tag))
    if (leg) leg.receive(incoming)
    else if (request.method === 'ACK') return
    else if (tag !== undefined || withinOnly.has(request.method)) refuse(incoming, 481)
    else if (request.method === 'INVITE') takeInvite(incoming)
    else onOther(incoming)
  })

  core.transactions.onClosed((flow) => {
    for (const leg of [...core.legs.values()]) leg.closed(flow)
  })

  function refuse(incoming: IncomingRequest, status: number) {
    reply(core, incoming, { status, toTag: newTag() })
  }

  function takeInvite(incoming: IncomingRequest) {
    const name = nameOf(incoming.request)
    if (invites.has(name)) return refuse(incoming, 482)
    const understood = checkInvite(core, incoming.request)
    if ('refusal' in understood) return reply(core, incoming, { ...understood.refusal, toTag: newTag() })
    invites.add(name)
    const leg = createIncomingInvite(core, incoming, understood, () => invites.delete(name))
    try {
      onInvite(leg)
    } catch (err) {
      core.log.error({ err }, 'a call could not be taken')
      leg.refuse(500)
    }
  }

  return {
    invite: (calling, listener) => createOutgoingInvite(core, calling, listener),
    request: (asking) => sendOutOfDialogRequest(core, asking),
    onInvite(listener) {
      onInvite = listener
    },
    onRequest(listener) {
      onOther = listener
    },
    legs: () => core.legs.size,
  }
}

function nameOf(request: SipRequest): string {
  return [callId(request), cseq(request).number, tagOf(from(request))].join(' ')
}
