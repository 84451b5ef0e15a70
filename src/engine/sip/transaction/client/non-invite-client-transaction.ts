/**
 * A request we sent that is no INVITE (RFC 3261, 17.1.2).
 *
 *   trying ──▶ proceeding ──▶ completed ──▶ over     timer K
 *   timer F, or no way ─▶ over, failed
 */
import type { Timer } from '../../../../kit/timers.ts'
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
  const { request, sender, timers, timing, counts, onSent, onTerminated } = deps
  let { listener } = deps
  let state: 'trying' | 'proceeding' | 'completed' | 'over' = 'trying'
  let repeating: Retransmission | undefined
  /** F, then K. */
  let timer: Timer = timers.after(transactionTimeout(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer E.
    if (!isReliable(request)) repeating = retransmit(timers, timing.t1, timing.t2, repeat)
  }

  function transmit() {
    if (sender.send(request, cannotSend)) return onSent()
    timer.cancel()
    // Whoever asks holds nothing yet that a failure could be told of.
    timer = timers.after(0, cannotSend)
  }

  function cannotSend() {
    fail('transport')
  }

  function repeat() {
    counts.add('sip_repetitions_sent_total')
    transmit()
  }

  function receive(response: SipResponse, flow: Flow) {
    if (state !== 'trying' && state !== 'proceeding') return
    if (response.status >= 200) return finish(response, flow)
    state = 'proceeding'
    repeating?.slowDown()
    listener.onProvisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    state = 'completed'
    repeating?.stop()
    repeating = undefined
    timer.cancel()
    if (isReliable(request)) end()
    else timer = timers.after(timing.t4, end)
    dismiss().onFinal(response, flow)
  }

  /** Told once more and never again: what stays for a while must not hold what it was about. */
  function dismiss(): ResponseListener {
    const last = listener
    listener = ignoreResponses
    releaseMessage(request)
    return last
  }

  function onConnectionLost(wasOpen: boolean) {
    if (state === 'trying' && !wasOpen && sender.fallBackToUdp(request)) return start()
    if (state === 'trying' || cannotReconnect(request)) fail('transport')
  }

  function fail(why: RequestFailure) {
    if (state !== 'trying' && state !== 'proceeding') return
    counts.add(`sip_requests_failed_${why}_total`)
    end()
    dismiss().onFailed(why)
  }

  function end() {
    stop()
    onTerminated()
  }

  function stop() {
    state = 'over'
    repeating?.stop()
    timer.cancel()
  }

  return { request, start, receive, onConnectionLost, stop }
}
