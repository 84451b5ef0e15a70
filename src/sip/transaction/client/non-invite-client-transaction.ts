/**
 * The non-INVITE client transaction (RFC 3261, 17.1.2).
 *
 *   trying ──▶ proceeding ──▶ completed ──▶ terminated     timer K
 *   timer F or transport error ─▶ terminated, failed
 */
import type { Timer } from '../../../kit/timers.ts'
import type { SipResponse } from '../../message/message.ts'
import type { Flow } from '../../transport/flow.ts'
import { type Retransmission, retransmit } from '../retransmission.ts'
import { transactionTimeout } from '../timing.ts'
import type { RequestFailure, ResponseListener } from '../transactions.ts'
import {
  type ClientTransaction,
  type ClientTransactionDeps,
  cannotReconnect,
  ignoreResponses,
} from './client-transaction.ts'
import { isReliable, releaseMessage } from './outgoing-request.ts'

export function createNonInviteClientTransaction(deps: ClientTransactionDeps): ClientTransaction {
  const { request, transmitter, timers, timing, counts, onSent, onTerminated } = deps
  let { listener } = deps
  let state: 'trying' | 'proceeding' | 'completed' | 'terminated' = 'trying'
  let retransmission: Retransmission | undefined
  /** Timer F, then timer K. */
  let timer: Timer = timers.after(transactionTimeout(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer E.
    if (!isReliable(request)) retransmission = retransmit(timers, timing.t1, timing.t2, sendAgain)
  }

  function transmit() {
    if (transmitter.send(request, cannotSend)) return onSent()
    timer.cancel()
    // Asynchronous: the caller does not have the transaction yet, and could not relate a failure to it.
    timer = timers.after(0, cannotSend)
  }

  function cannotSend() {
    fail('transport')
  }

  function sendAgain() {
    counts.add('sip_repetitions_sent_total')
    transmit()
  }

  function receive(response: SipResponse, flow: Flow) {
    if (state !== 'trying' && state !== 'proceeding') return
    if (response.status >= 200) return finish(response, flow)
    state = 'proceeding'
    retransmission?.slowDown()
    listener.onProvisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    state = 'completed'
    retransmission?.stop()
    retransmission = undefined
    timer.cancel()
    if (isReliable(request)) end()
    else timer = timers.after(timing.t4, end)
    detachListener().onFinal(response, flow)
  }

  /** Detaches the listener for its last call: the transaction lives on and must not keep the listener in memory. */
  function detachListener(): ResponseListener {
    const last = listener
    listener = ignoreResponses
    releaseMessage(request)
    return last
  }

  function onConnectionLost(wasOpen: boolean) {
    if (state === 'trying' && !wasOpen && transmitter.fallBackToUdp(request)) return start()
    if (state === 'trying' || cannotReconnect(request)) fail('transport')
  }

  function fail(why: RequestFailure) {
    if (state !== 'trying' && state !== 'proceeding') return
    counts.add(`sip_requests_failed_${why}_total`)
    end()
    detachListener().onFailed(why)
  }

  function end() {
    stop()
    onTerminated()
  }

  function stop() {
    state = 'terminated'
    retransmission?.stop()
    timer.cancel()
  }

  return { request, start, receive, onConnectionLost, stop }
}
