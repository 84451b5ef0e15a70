/** The requests that came: which are new, which are repeated, which belong to another. */
import { randomPiece } from '../../../../kit/ids.ts'
import type { Log } from '../../../../kit/log.ts'
import type { Counts } from '../../counts.ts'
import { to } from '../../headers/parties.ts'
import { via } from '../../headers/via.ts'
import type { SipRequest } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { parseMessage } from '../../parser/parse.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import { returnPath } from '../../transport/return-path.ts'
import type { Wire } from '../client/outgoing-request.ts'
import { serverKey } from '../matching.ts'
import { transactionTimeout } from '../timing.ts'
import type { IncomingRequest } from '../transactions.ts'
import { createInviteServerTransactions } from './invite-server-transaction.ts'
import { createNonInviteServerTransactions } from './non-invite-server-transaction.ts'
import { createResponseCache } from './response-cache.ts'
import {
  endServerTransaction,
  newServerTransaction,
  type ServerTransaction,
  type ServerTransactionDeps,
  toBytes,
} from './server-transaction.ts'

export type ServerLimits = {
  /** Requests being worked on at once; more are told to come back later. */
  unanswered: number
  /** Answers kept for those who ask again. */
  kept: number
  keptBytes: number
}
export const defaultServerLimits: ServerLimits = {
  unanswered: 20_000,
  kept: 50_000,
  keptBytes: 64 * 1024 * 1024,
}

type Deps = Pick<ServerTransactionDeps, 'timers' | 'timing'> & {
  wire: Wire
  counts: Counts
  limits: ServerLimits
  log: Pick<Log, 'error'>
  onRequest(incoming: IncomingRequest): void
}

/** When there are too many: seconds, in Retry-After. */
const comeBackAfter = '10'

export function createServerTransactions({ timers, timing, wire, counts, limits, log, onRequest }: Deps) {
  const servers = new Map<string, ServerTransaction>()
  const forget = (server: ServerTransaction) => void servers.delete(server.key)
  const responses = createResponseCache({
    timers,
    keptMs: transactionTimeout(timing),
    maxResponses: limits.kept,
    maxBytes: limits.keptBytes,
    onExpired(server) {
      endServerTransaction(server)
      forget(server)
    },
  })
  const send = (bytes: Buffer, path: Target) => void wire.send(bytes, path, { mayReconnect: true })
  const deps = { timers, timing, responses, send, forget }
  const invites = createInviteServerTransactions(deps)
  const others = createNonInviteServerTransactions(deps)

  function receive(request: SipRequest, flow: Flow) {
    const top = via(request)
    const { method } = request
    const key = serverKey(request, top, method === 'ACK' ? 'INVITE' : method)
    const known = servers.get(key)
    if (method === 'ACK') {
      if (!known || invites.acknowledged(known)) onRequest(acknowledgement(request, flow))
    } else if (known) {
      counts.add('sip_repetitions_received_total')
      if (known.invite) invites.repeated(known)
      else others.repeated(known)
    } else if (servers.size - responses.size() >= limits.unanswered && method !== 'CANCEL') {
      counts.add('sip_requests_refused_total')
      wire.answer(request, flow, { status: 503, headers: [['Retry-After', comeBackAfter]] })
    } else {
      const server = newServerTransaction(request, key, flow, returnPath(flow, top))
      servers.set(key, server)
      if (method === 'INVITE') takeInvite(server, request, flow)
      else if (method === 'CANCEL') takeCancel(server, request, serverKey(request, top, 'INVITE'))
      else takeOther(server, request, flow)
    }
  }

  function takeInvite(server: ServerTransaction, request: SipRequest, flow: Flow) {
    invites.open(server)
    tell({
      request,
      flow,
      respond: (response) => invites.respond(server, response),
      repeat: () => invites.repeatAccepted(server),
      onCancel: (listener) => invites.onCancel(server, listener),
    })
  }

  function takeOther(server: ServerTransaction, request: SipRequest, flow: Flow) {
    tell({
      request,
      flow,
      respond: (response) => others.respond(server, response),
      respondOnce: (response) => others.respondOnce(server, response),
      repeat: nothing,
      onCancel: nothing,
    })
    // Most are answered by now, and need no timer.
    if (server.state === 'proceeding') others.open(server)
  }

  /** Whoever stumbles over a request has answered it all the same. */
  function tell(incoming: IncomingRequest) {
    try {
      onRequest(incoming)
    } catch (error) {
      log.error({ err: error }, 'a SIP request could not be worked with')
      incoming.respond(buildResponse(incoming.request, 500, { toTag: newTag() }))
    }
  }

  /** RFC 3261, 9.2: answered here, with the tag its INVITE is answered with. */
  function takeCancel(server: ServerTransaction, cancel: SipRequest, inviteKey: string) {
    const invite = servers.get(inviteKey)
    const response = buildResponse(cancel, invite ? 200 : 481, { toTag: tagOf(invite) ?? newTag() })
    others.respond(server, response)
    if (invite) invites.cancelled(invite, cancel)
  }

  function stop() {
    responses.stop()
    for (const server of servers.values()) endServerTransaction(server)
    servers.clear()
  }

  return { receive, stop, size: () => servers.size, kept: () => responses.size() }
}

function nothing() {}

/** Nobody answers an ACK. */
function acknowledgement(request: SipRequest, flow: Flow): IncomingRequest {
  return { request, flow, respond: nothing, repeat: nothing, onCancel: nothing }
}

/** Of what we answered last; read when it is wanted, which is seldom. */
function tagOf(invite: ServerTransaction | undefined): string | undefined {
  return invite?.lastResponse ? to(parseMessage(toBytes(invite.lastResponse))).params.get('tag') : undefined
}

const newTag = () => randomPiece(6).toString('hex')
