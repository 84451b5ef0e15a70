/**
 * A request we sent that is no INVITE (RFC 3261, 17.1.2).
 *
 *   trying ──▶ proceeding ──▶ completed ──▶ over     timer K
 *   timer F, or no way ─▶ over, failed
 */
import type { Timer } from '../../../../kit/timers.ts'
import type { SipResponse } from '../../message/message.ts'
import type { Flow } from '../../transport/flow.ts'
import { type Repeater, repeatSlower } from '../retransmission.ts'
import { patience } from '../timing.ts'
import type { AnswerListener, Failure } from '../transactions.ts'
import { type Client, type ClientDeps, cannotReturn, nobody } from './client-transaction.ts'
import { isReliable, letGo } from './outgoing-request.ts'

export function createOtherClient(deps: ClientDeps): Client {
  const { sending, sender, timers, timing, counts, onSent, onOver } = deps
  let { listener } = deps
  let state: 'trying' | 'proceeding' | 'completed' | 'over' = 'trying'
  let repeating: Repeater | undefined
  /** F, then K. */
  let timer: Timer = timers.after(patience(timing), () => fail('timeout'))

  function start() {
    transmit()
    // Timer E.
    if (!isReliable(sending)) repeating = repeatSlower(timers, timing.t1, timing.t2, repeat)
  }

  function transmit() {
    if (sender.send(sending, cannotSend)) return onSent()
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
    listener.provisional?.(response, flow)
  }

  function finish(response: SipResponse, flow: Flow) {
    state = 'completed'
    repeating?.stop()
    repeating = undefined
    timer.cancel()
    if (isReliable(sending)) end()
    else timer = timers.after(timing.t4, end)
    dismiss().final(response, flow)
  }

  /** Told once more and never again: what stays for a while must not hold what it was about. */
  function dismiss(): AnswerListener {
    const last = listener
    listener = nobody
    letGo(sending)
    return last
  }

  function lost(wasOpen: boolean) {
    if (state === 'trying' && !wasOpen && sender.fallBack(sending)) return start()
    if (state === 'trying' || cannotReturn(sending)) fail('transport')
  }

  function fail(why: Failure) {
    if (state !== 'trying' && state !== 'proceeding') return
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

  return { sending, start, receive, lost, stop }
}
