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
import { type Repeater, repeatSlower } from '../retransmission.ts'
import { patience } from '../timing.ts'
import type { AnswerListener, Failure } from '../transactions.ts'
import { acknowledge } from './ack-and-cancel.ts'
import { type Client, type ClientDeps, cannotReturn, nobody } from './client-transaction.ts'
import { isReliable, letGo, type Wire, wayOf } from './outgoing-request.ts'

type Deps = ClientDeps & {
  wire: Wire
  /** Sends the CANCEL, as a transaction of its own. */
  sendCancel(): void
}

export function createInviteClient(deps: Deps): Client & { cancel(): void } {
  const { sending, sender, timers, timing, counts, wire, onSent, onOver } = deps
  let { listener } = deps
  const sendTheCancel = deps.sendCancel
  let state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'over' = 'calling'
  let ack: Buffer | undefined
  let repeating: Repeater | undefined
  let cancelled = false
  /** B, then that of a CANCEL, then D or M. */
  let timer: Timer = timers.after(patience(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer A.
    if (!isReliable(sending)) repeating = repeatSlower(timers, timing.t1, Number.POSITIVE_INFINITY, repeat)
  }

  function transmit() {
    if (sender.send(sending, cannotSend)) onSent()
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
      if (isSuccess(response)) listener.final(response, flow)
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
    listener.provisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    repeating?.stop()
    repeating = undefined
    timer.cancel()
    if (isSuccess(response)) {
      state = 'accepted'
      timer = timers.after(patience(timing), end)
      letGo(sending)
      listener.final(response, flow)
    } else {
      state = 'completed'
      ack = sending.request && serialise(acknowledge(sending.request, response))
      sendAck()
      // Timer D. On a connection nothing is repeated.
      if (isReliable(sending)) end()
      else timer = timers.after(patience(timing), end)
      dismiss().final(response, flow)
    }
  }

  /** Told once more and never again: what stays for half a minute must not hold the call it was about. */
  function dismiss(): AnswerListener {
    const last = listener
    listener = nobody
    letGo(sending)
    return last
  }

  function sendAck() {
    if (ack) wire.send(ack, wayOf(sending))
  }

  function cancel() {
    if (cancelled || (state !== 'calling' && state !== 'proceeding')) return
    cancelled = true
    if (state === 'proceeding') sendCancel()
  }

  function sendCancel() {
    timer = timers.after(patience(timing), () => fail('timeout'))
    sendTheCancel()
  }

  /** In `proceeding` the other end, who has our INVITE, may connect to us to answer it. */
  function lost(wasOpen: boolean) {
    if (state === 'calling' && !wasOpen && sender.fallBack(sending)) return start()
    if (state === 'calling' || (state === 'proceeding' && cannotReturn(sending))) fail('transport')
  }

  function fail(why: Failure) {
    if (state !== 'calling' && state !== 'proceeding') return
    counts.add(`sip_requests_failed_${why}_total`)
    end()
    dismiss().failed(why)
  }

  function end() {
    stop()
    onOver()
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

  return { sending, start, receive, lost, stop, cancel }
}

function isSuccess({ status }: SipResponse): boolean {
  return status >= 200 && status < 300
}
