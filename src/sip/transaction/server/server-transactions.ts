/** All server transactions: finds out whether a request is new, a retransmission, or belongs to an INVITE (ACK, CANCEL). */
import { randomPiece } from '../../../kit/ids.ts'
import type { Log } from '../../../kit/process/log.ts'
import type { Counts } from '../../counts.ts'
import { to } from '../../headers/parties.ts'
import { via } from '../../headers/via.ts'
import type { SipRequest } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { parseMessage } from '../../parser/parse.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import { returnPath } from '../../transport/return-path.ts'
import type { Wire } from '../../transport/transports.ts'
import { toBytes } from '../kept-bytes.ts'
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
} from './server-transaction.ts'

export type ServerLimits = {
  /** Requests without a final response; more are answered 503 with Retry-After. */
  unanswered: number
  /** Responses kept for retransmitted requests. */
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

/** In seconds. */
const retryAfter = '10'

export function createServerTransactions({ timers, timing, wire, counts, limits, log, onRequest }: Deps) {
  const transactions = new Map<string, ServerTransaction>()
  const forget = (transaction: ServerTransaction) => void transactions.delete(transaction.key)
  const responses = createResponseCache({
    timers,
    keptMs: transactionTimeout(timing),
    maxResponses: limits.kept,
    maxBytes: limits.keptBytes,
    onExpired(transaction) {
      endServerTransaction(transaction)
      forget(transaction)
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
    const existing = transactions.get(key)
    if (method === 'ACK') {
      if (!existing || invites.receiveAck(existing)) onRequest(incomingAck(request, flow))
    } else if (existing) {
      counts.add('sip_repetitions_received_total')
      if (existing.invite) invites.receiveAgain(existing)
      else others.receiveAgain(existing)
    } else if (transactions.size - responses.size() >= limits.unanswered && method !== 'CANCEL') {
      counts.add('sip_requests_refused_total')
      wire.answer(request, flow, { status: 503, headers: [['Retry-After', retryAfter]] })
    } else {
      const transaction = newServerTransaction(request, key, flow, returnPath(flow, top))
      transactions.set(key, transaction)
      if (method === 'INVITE') receiveInvite(transaction, request, flow)
      else if (method === 'CANCEL') receiveCancel(transaction, request, serverKey(request, top, 'INVITE'))
      else receiveOther(transaction, request, flow)
    }
  }

  function receiveInvite(transaction: ServerTransaction, request: SipRequest, flow: Flow) {
    invites.open(transaction)
    passOn({
      request,
      flow,
      respond: (response) => invites.respond(transaction, response),
      respondOnce: (response) => invites.respondOnce(transaction, response),
      repeat: () => invites.retransmitAccepted(transaction),
      onCancel: (listener) => invites.onCancel(transaction, listener),
    })
  }

  function receiveOther(transaction: ServerTransaction, request: SipRequest, flow: Flow) {
    passOn({
      request,
      flow,
      respond: (response) => others.respond(transaction, response),
      respondOnce: (response) => others.respondOnce(transaction, response),
      repeat: nothing,
      onCancel: nothing,
    })
    // Most requests are answered synchronously, and need no timer.
    if (transaction.state === 'proceeding') others.open(transaction)
  }

  /** A request whose handler throws is answered with 500. */
  function passOn(incoming: IncomingRequest) {
    try {
      onRequest(incoming)
    } catch (error) {
      log.error({ err: error }, 'a SIP request could not be handled')
      incoming.respond(buildResponse(incoming.request, 500, { toTag: newTag() }))
    }
  }

  /**
   * RFC 3261, 9.2: a CANCEL is answered here, with the To tag of the responses to its INVITE. It comes from the address of
   * its INVITE (D183), since it goes hop by hop.
   */
  function receiveCancel(transaction: ServerTransaction, cancel: SipRequest, inviteKey: string) {
    const found = transactions.get(inviteKey)
    const invite = found?.path.remote.address === transaction.path.remote.address ? found : undefined
    const response = buildResponse(cancel, invite ? 200 : 481, { toTag: tagOf(invite) ?? newTag() })
    others.respond(transaction, response)
    if (invite) invites.receiveCancel(invite, cancel)
  }

  function stop() {
    responses.stop()
    for (const transaction of transactions.values()) endServerTransaction(transaction)
    transactions.clear()
  }

  return { receive, stop, size: () => transactions.size, kept: () => responses.size() }
}

function nothing() {}

/** An ACK has no response. */
function incomingAck(request: SipRequest, flow: Flow): IncomingRequest {
  return { request, flow, respond: nothing, repeat: nothing, onCancel: nothing }
}

/** Parsed from the last response, since it is rarely needed. */
function tagOf(invite: ServerTransaction | undefined): string | undefined {
  return invite?.lastResponse ? to(parseMessage(toBytes(invite.lastResponse))).params.get('tag') : undefined
}

const newTag = () => randomPiece(6).toString('hex')
