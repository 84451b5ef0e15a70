/**
 * An INVITE that came (RFC 3261, 17.2.1; RFC 6026).
 *
 *   proceeding ──▶ accepted ──▶ over                      2xx: repeated by whoever gave it, until timer L
 *       └────────▶ completed ─▶ confirmed ─▶ over         300 and above: repeated until the ACK (G, H), then timer I
 */
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { retransmit } from '../retransmission.ts'
import { transactionTimeout } from '../timing.ts'
import {
  endServerTransaction,
  isFinal,
  releaseRequest,
  type ServerTransaction,
  type ServerTransactionDeps,
  sendAndKeep,
  toBytes,
} from './server-transaction.ts'

/** RFC 3261, 17.2.1: whoever takes longer to say anything has 100 said in his place. */
const tryingMs = 200

export function createInviteServerTransactions({
  timers,
  timing,
  responses,
  send,
  forget,
}: ServerTransactionDeps) {
  function open(server: ServerTransaction) {
    server.timer = timers.after(tryingMs, () => {
      if (server.request) respond(server, buildResponse(server.request, 100))
    })
  }

  function respond(server: ServerTransaction, response: SipResponse) {
    if (server.state !== 'proceeding') return
    server.timer?.cancel()
    server.lastResponse = sendAndKeep(response, server.path, send)
    if (isFinal(response)) finish(server, response.status)
  }

  function finish(server: ServerTransaction, status: number) {
    if (status < 300) {
      releaseRequest(server, 'accepted')
      server.timer = timers.after(transactionTimeout(timing), () => end(server))
      return
    }
    releaseRequest(server, 'completed')
    // Timer H is the responses's.
    responses.put(server)
    if (server.reliable || server.state !== 'completed') return
    server.retransmission = retransmit(timers, timing.t1, timing.t2, () => sendLast(server))
  }

  /** RFC 6026, 7.1: our 2xx is repeated from above, whether the INVITE comes again or not. */
  function repeated(server: ServerTransaction) {
    if (server.state === 'proceeding' || server.state === 'completed') sendLast(server)
  }

  /** True if it is for whoever accepted. */
  function acknowledged(server: ServerTransaction): boolean {
    if (server.state === 'completed') confirm(server)
    return server.state === 'accepted'
  }

  function confirm(server: ServerTransaction) {
    server.state = 'confirmed'
    server.retransmission?.stop()
    responses.take(server)
    server.lastResponse = undefined
    if (server.reliable) end(server)
    else server.timer = timers.after(timing.t4, () => end(server))
  }

  /** Once; after the final answer it is too late. */
  function cancelled(server: ServerTransaction, cancel: SipRequest) {
    if (server.state !== 'proceeding' || server.cancel) return
    server.cancel = cancel
    server.onCancel?.(cancel)
  }

  function onCancel(server: ServerTransaction, listener: (cancel: SipRequest) => void) {
    if (server.state !== 'proceeding') return
    server.onCancel = listener
    if (server.cancel) listener(server.cancel)
  }

  function repeatAccepted(server: ServerTransaction) {
    if (server.state === 'accepted') sendLast(server)
  }

  function sendLast(server: ServerTransaction) {
    if (server.lastResponse) send(toBytes(server.lastResponse), server.path)
  }

  function end(server: ServerTransaction) {
    endServerTransaction(server)
    forget(server)
  }

  return { open, respond, repeated, acknowledged, cancelled, onCancel, repeatAccepted }
}
