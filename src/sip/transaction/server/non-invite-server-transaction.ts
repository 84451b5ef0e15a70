/**
 * The non-INVITE transaction transaction (RFC 3261, 17.2.2).
 *
 *   proceeding ──▶ completed ──▶ terminated     timer J
 *
 * Without a final response it ends when the client has timed out: a later response would not be accepted (RFC 4320).
 */
import type { SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import { toBytes } from '../kept-bytes.ts'
import { transactionTimeout } from '../timing.ts'
import {
  endServerTransaction,
  isFinal,
  releaseRequest,
  type ServerTransaction,
  type ServerTransactionDeps,
  sendAndKeep,
} from './server-transaction.ts'

export function createNonInviteServerTransactions({
  timers,
  timing,
  responses,
  send,
  forget,
}: ServerTransactionDeps) {
  function open(transaction: ServerTransaction) {
    transaction.timer = timers.after(transactionTimeout(timing), () => end(transaction))
  }

  function respond(transaction: ServerTransaction, response: SipResponse) {
    if (transaction.state !== 'proceeding') return
    // Timer J. On a reliable transport it is zero: nothing is retransmitted.
    if (transaction.reliable && isFinal(response)) return respondOnce(transaction, response)
    transaction.lastResponse = sendAndKeep(response, transaction.path, send)
    if (!isFinal(response)) return
    releaseRequest(transaction, 'completed')
    responses.put(transaction)
  }

  function respondOnce(transaction: ServerTransaction, response: SipResponse) {
    if (transaction.state !== 'proceeding') return
    send(serialise(response), transaction.path)
    end(transaction)
  }

  function receiveAgain(transaction: ServerTransaction) {
    if (transaction.lastResponse) send(toBytes(transaction.lastResponse), transaction.path)
  }

  function end(transaction: ServerTransaction) {
    endServerTransaction(transaction)
    forget(transaction)
  }

  return { open, respond, respondOnce, receiveAgain }
}
