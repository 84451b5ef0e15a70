/**
 * The INVITE transaction transaction (RFC 3261, 17.2.1; RFC 6026).
 *
 *   proceeding ──▶ accepted ──▶ terminated                  2xx: retransmitted by the dialog, until timer L
 *       └────────▶ completed ─▶ confirmed ─▶ terminated     300 and above: retransmitted until the ACK (timers G, H), then timer I
 */
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { serialise } from '../../message/serialise.ts'
import { toBytes } from '../kept-bytes.ts'
import { retransmit } from '../retransmission.ts'
import { transactionTimeout } from '../timing.ts'
import {
  endServerTransaction,
  isFinal,
  releaseRequest,
  type ServerTransaction,
  type ServerTransactionDeps,
  sendAndKeep,
} from './server-transaction.ts'

/** RFC 3261, 17.2.1: if there is no response within this time, 100 Trying is sent. */
const tryingMs = 200

export function createInviteServerTransactions({
  timers,
  timing,
  responses,
  send,
  forget,
}: ServerTransactionDeps) {
  function open(transaction: ServerTransaction) {
    transaction.timer = timers.after(tryingMs, () => {
      if (transaction.request) respond(transaction, buildResponse(transaction.request, 100))
    })
  }

  function respond(transaction: ServerTransaction, response: SipResponse) {
    if (transaction.state !== 'proceeding') return
    transaction.timer?.cancel()
    transaction.lastResponse = sendAndKeep(response, transaction.path, send)
    if (isFinal(response)) finish(transaction, response.status)
  }

  function finish(transaction: ServerTransaction, status: number) {
    if (status < 300) {
      releaseRequest(transaction, 'accepted')
      transaction.timer = timers.after(transactionTimeout(timing), () => end(transaction))
      return
    }
    releaseRequest(transaction, 'completed')
    // The response cache is timer H.
    responses.put(transaction)
    if (transaction.reliable || transaction.state !== 'completed') return
    transaction.retransmission = retransmit(timers, timing.t1, timing.t2, () => sendLast(transaction))
  }

  /** Keeps nothing: neither is the response retransmitted, nor an ACK expected. */
  function respondOnce(transaction: ServerTransaction, response: SipResponse) {
    if (transaction.state !== 'proceeding') return
    send(serialise(response), transaction.path)
    end(transaction)
  }

  /** A retransmitted INVITE. RFC 6026, 7.1: not answered after a 2xx, which the dialog retransmits. */
  function receiveAgain(transaction: ServerTransaction) {
    if (transaction.state === 'proceeding' || transaction.state === 'completed') sendLast(transaction)
  }

  /** True if the ACK is for a 2xx, and so for the dialog. */
  function receiveAck(transaction: ServerTransaction): boolean {
    if (transaction.state === 'completed') confirm(transaction)
    return transaction.state === 'accepted'
  }

  function confirm(transaction: ServerTransaction) {
    transaction.state = 'confirmed'
    transaction.retransmission?.stop()
    responses.take(transaction)
    transaction.lastResponse = undefined
    if (transaction.reliable) end(transaction)
    else transaction.timer = timers.after(timing.t4, () => end(transaction))
  }

  /** Only the first CANCEL counts, and none after the final response. */
  function receiveCancel(transaction: ServerTransaction, cancel: SipRequest) {
    if (transaction.state !== 'proceeding' || transaction.cancel) return
    transaction.cancel = cancel
    transaction.onCancel?.(cancel)
  }

  function onCancel(transaction: ServerTransaction, listener: (cancel: SipRequest) => void) {
    if (transaction.state !== 'proceeding') return
    transaction.onCancel = listener
    if (transaction.cancel) listener(transaction.cancel)
  }

  function retransmitAccepted(transaction: ServerTransaction) {
    if (transaction.state === 'accepted') sendLast(transaction)
  }

  function sendLast(transaction: ServerTransaction) {
    if (transaction.lastResponse) send(toBytes(transaction.lastResponse), transaction.path)
  }

  function end(transaction: ServerTransaction) {
    endServerTransaction(transaction)
    forget(transaction)
  }

  return { open, respond, respondOnce, receiveAgain, receiveAck, receiveCancel, onCancel, retransmitAccepted }
}
