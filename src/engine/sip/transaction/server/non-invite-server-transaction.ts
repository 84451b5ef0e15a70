/**
 * A request that came and is no INVITE (RFC 3261, 17.2.2).
 *
 *   proceeding ──▶ completed ──▶ over     timer J
 *
 * One that nobody answers is forgotten when its sender has given up: a late answer would reach nobody (RFC 4320).
 */
import type { SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
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

export function createNonInviteServerTransactions({
  timers,
  timing,
  responses,
  send,
  forget,
}: ServerTransactionDeps) {
  function open(server: ServerTransaction) {
    server.timer = timers.after(transactionTimeout(timing), () => end(server))
  }

  function respond(server: ServerTransaction, response: SipResponse) {
    if (server.state !== 'proceeding') return
    // Timer J. On a connection nothing is repeated.
    if (server.reliable && isFinal(response)) return respondOnce(server, response)
    server.lastResponse = sendAndKeep(response, server.path, send)
    if (!isFinal(response)) return
    releaseRequest(server, 'completed')
    responses.put(server)
  }

  function respondOnce(server: ServerTransaction, response: SipResponse) {
    if (server.state !== 'proceeding') return
    send(serialise(response), server.path)
    end(server)
  }

  function repeated(server: ServerTransaction) {
    if (server.lastResponse) send(toBytes(server.lastResponse), server.path)
  }

  function end(server: ServerTransaction) {
    endServerTransaction(server)
    forget(server)
  }

  return { open, respond, respondOnce, repeated }
}
