/**
 * An INVITE we sent (RFC 3261, 17.1.1; RFC 6026).
 *
 *   calling ──▶ proceeding ──▶ accepted ──▶ over     2xx: each is told, until timer M
 *      │            │
 *      └────────────┴────────▶ completed ─▶ over     300 and above: told once, each acknowledged, until timer D
 *   timer B, or no way, or 32 s after a CANCEL ─▶ over, failed
 */
import type { Timer } from '../../../../kit/timers.ts'
import type { SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow } from '../../transport/flow.ts'
import { type Retransmission, retransmit } from '../retransmission.ts'
import { transactionTimeout } from '../timing.ts'
import type { RequestFailure, ResponseListener } from '../transactions.ts'
import { buildAck } from './ack-and-cancel.ts'
import {
  type ClientTransaction,
  type ClientTransactionDeps,
  cannotReconnect,
  ignoreResponses,
} from './client-transaction.ts'
import { isReliable, releaseMessage, targetOf, type Wire } from './outgoing-request.ts'

type Deps = ClientTransactionDeps & {
  wire: Wire
  /** Sends the CANCEL, as a transaction of its own. */
  sendCancel(): void
}

export function createInviteClientTransaction(deps: Deps): ClientTransaction & { cancel(): void } {
  const { request, sender, timers, timing, counts, wire, onSent, onTerminated } = deps
  let { listener } = deps
  const sendTheCancel = deps.sendCancel
  let state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'over' = 'calling'
  let ack: Buffer | undefined
  let repeating: Retransmission | undefined
  let cancelled = false
  /** B, then that of a CANCEL, then D or M. */
  let timer: Timer = timers.after(transactionTimeout(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer A.
    if (!isReliable(request)) repeating = retransmit(timers, timing.t1, Number.POSITIVE_INFINITY, repeat)
  }

  function transmit() {
    if (sender.send(request, cannotSend)) onSent()
    else later(() => fail('transport'))
  }

  function cannotSend() {
    fail('transport')
  }

  function repeat() {
    counts.add('sip_repetitions_sent_total')
    transmit()
  }

  function receive(response: SipResponse, flow: Flow) {
    if (state === 'accepted') {
      if (isSuccess(response)) listener.onFinal(response, flow)
    } else if (state === 'completed') {
      if (response.status >= 300) sendAck()
    } else if (response.status < 200) proceed(response, flow)
    else finish(response, flow)
  }

  function proceed(response: SipResponse, flow: Flow) {
    const first = state === 'calling'
    if (first) {
      state = 'proceeding'
      repeating?.stop()
      timer.cancel()
      if (cancelled) sendCancel()
    }
    listener.onProvisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    repeating?.stop()
    repeating = undefined
    timer.cancel()
    if (isSuccess(response)) {
      state = 'accepted'
      timer = timers.after(transactionTimeout(timing), end)
      releaseMessage(request)
      listener.onFinal(response, flow)
    } else {
      state = 'completed'
      ack = request.request && serialise(buildAck(request.request, response))
      sendAck()
      // Timer D. On a connection nothing is repeated.
      if (isReliable(request)) end()
      else timer = timers.after(transactionTimeout(timing), end)
      dismiss().onFinal(response, flow)
    }
  }

  /** Told once more and never again: what stays for half a minute must not hold the call it was about. */
  function dismiss(): ResponseListener {
    const last = listener
    listener = ignoreResponses
    releaseMessage(request)
    return last
  }

  function sendAck() {
    if (ack) wire.send(ack, targetOf(request))
  }

  function cancel() {
    if (cancelled || (state !== 'calling' && state !== 'proceeding')) return
    cancelled = true
    if (state === 'proceeding') sendCancel()
  }

  function sendCancel() {
    timer = timers.after(transactionTimeout(timing), () => fail('timeout'))
    sendTheCancel()
  }

  /** In `proceeding` the other end, who has our INVITE, may connect to us to answer it. */
  function onConnectionLost(wasOpen: boolean) {
    if (state === 'calling' && !wasOpen && sender.fallBackToUdp(request)) return start()
    if (state === 'calling' || (state === 'proceeding' && cannotReconnect(request))) fail('transport')
  }

  function fail(why: RequestFailure) {
    if (state !== 'calling' && state !== 'proceeding') return
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

  /** Whoever asks holds nothing yet that a failure could be told of. */
  function later(run: () => void) {
    timer.cancel()
    timer = timers.after(0, run)
  }

  return { request, start, receive, onConnectionLost, stop, cancel }
}

function isSuccess({ status }: SipResponse): boolean {
  return status >= 200 && status < 300
}
