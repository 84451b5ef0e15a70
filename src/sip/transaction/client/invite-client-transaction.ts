/**
 * The INVITE client transaction (RFC 3261, 17.1.1; RFC 6026).
 *
 *   calling ──▶ proceeding ──▶ accepted ──▶ terminated     2xx: each one goes to the listener, until timer M
 *      │            │
 *      └────────────┴────────▶ completed ─▶ terminated     300 and above: the first goes to the listener, each is acknowledged, until timer D
 *   timer B, transport error, or 32 s after a CANCEL ─▶ terminated, failed
 */
import type { Timer } from '../../../kit/timers.ts'
import type { SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Wire } from '../../transport/transports.ts'
import { type KeptBytes, keepBytes, toBytes } from '../kept-bytes.ts'
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
import { isReliable, releaseMessage, targetOf } from './outgoing-request.ts'

type InviteDeps = {
  wire: Wire
  /** Sends the CANCEL, as a transaction of its own. */
  sendCancel(): void
}

export function createInviteClientTransaction(
  deps: ClientTransactionDeps,
  { wire, sendCancel }: InviteDeps,
): ClientTransaction & { cancel(): void } {
  const { request, transmitter, timers, timing, counts, onSent, onTerminated } = deps
  let { listener } = deps
  let state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'terminated' = 'calling'
  let ack: KeptBytes | undefined
  let retransmission: Retransmission | undefined
  let cancelled = false
  /** Timer B, then the limit after a CANCEL, then timer D or M. */
  let timer: Timer = timers.after(transactionTimeout(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer A.
    if (!isReliable(request))
      retransmission = retransmit(timers, timing.t1, Number.POSITIVE_INFINITY, sendAgain)
  }

  function transmit() {
    if (transmitter.send(request, cannotSend)) onSent()
    else later(() => fail('transport'))
  }

  function cannotSend() {
    fail('transport')
  }

  function sendAgain() {
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
      retransmission?.stop()
      timer.cancel()
      if (cancelled) sendCancelWithTimeout()
    }
    listener.onProvisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    retransmission?.stop()
    retransmission = undefined
    timer.cancel()
    if (isSuccess(response)) {
      state = 'accepted'
      timer = timers.after(transactionTimeout(timing), end)
      releaseMessage(request)
      listener.onFinal(response, flow)
    } else {
      state = 'completed'
      ack = request.request && keepBytes(serialise(buildAck(request.request, response)))
      sendAck()
      // Timer D. On a reliable transport it is zero: nothing is retransmitted.
      if (isReliable(request)) end()
      else timer = timers.after(transactionTimeout(timing), end)
      detachListener().onFinal(response, flow)
    }
  }

  /** Detaches the listener for its last call: the transaction lives on for half a minute and must not keep the call in memory. */
  function detachListener(): ResponseListener {
    const last = listener
    listener = ignoreResponses
    releaseMessage(request)
    return last
  }

  function sendAck() {
    if (ack) wire.send(toBytes(ack), targetOf(request))
  }

  function cancel() {
    if (cancelled || (state !== 'calling' && state !== 'proceeding')) return
    cancelled = true
    if (state === 'proceeding') sendCancelWithTimeout()
  }

  function sendCancelWithTimeout() {
    timer = timers.after(transactionTimeout(timing), () => fail('timeout'))
    sendCancel()
  }

  /** In `proceeding` the peer has our INVITE, and may open a connection to answer it. */
  function onConnectionLost(wasOpen: boolean) {
    if (state === 'calling' && !wasOpen && transmitter.fallBackToUdp(request)) return start()
    if (state === 'calling' || (state === 'proceeding' && cannotReconnect(request))) fail('transport')
  }

  function fail(why: RequestFailure) {
    if (state !== 'calling' && state !== 'proceeding') return
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

  /** Asynchronous: the caller does not have the transaction yet, and could not relate a failure to it. */
  function later(run: () => void) {
    timer.cancel()
    timer = timers.after(0, run)
  }

  return { request, start, receive, onConnectionLost, stop, cancel }
}

function isSuccess({ status }: SipResponse): boolean {
  return status >= 200 && status < 300
}
