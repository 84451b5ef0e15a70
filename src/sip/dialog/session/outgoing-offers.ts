/** Re-INVITEs we send (RFC 3261, 14.1). */
import type { Timer } from '../../../kit/timers.ts'
import { retryAfter } from '../../headers/numbers.ts'
import type { SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import { defaultTiming, transactionTimeout } from '../../transaction/timing.ts'
import type { RequestFailure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { createPrackSender } from '../prack.ts'
import type { SentRequest } from '../retrying-sender.ts'
import { sdpBody, sdpOf } from '../session-description.ts'
import { agreedTerms, minSeOf, timerHeadersOf } from '../session-terms.ts'
import { allowHeader, type UserAgentCore } from '../user-agent-core.ts'
import type { OfferLock } from './offer-lock.ts'
import type { SessionTimer } from './session-timer.ts'

const timeoutMs = transactionTimeout(defaultTiming)

type Deps = {
  core: UserAgentCore
  dialog: Dialog
  offerLock: OfferLock
  session: SessionTimer
  /** The peer is unreachable, or does not know this dialog. */
  onLost(why: SipResponse | RequestFailure): void
}

export function createOutgoingOffers({ core, dialog, offerLock, session, onLost }: Deps) {
  const { timers } = core
  const waiting = new Set<Timer>()
  let closed = false

  /** Calls `settle` with the answer, or with undefined if the offer was refused. After `close` it is not called. */
  function offer(
    describe: () => Sdp,
    settle: (answer: Sdp | undefined, offered: Sdp) => void,
    extraHeaders: HeaderPairs = [],
  ) {
    const sendPrack = createPrackSender(dialog)
    const giveUpAt = timers.now() + timeoutMs
    let minSe: number | undefined

    function attempt() {
      const description = describe()
      const { headers, body } = sdpBody(description)
      let acknowledge: (() => void) | undefined
      let sent: SentRequest | undefined
      // A peer that only sends provisional responses would hold the offer lock for ever.
      const timeout = after(timeoutMs, () => sent?.cancel())
      const finish = () => {
        timeout.cancel()
        waiting.delete(timeout)
        if (!closed) offerLock.release()
      }
      sent = dialog.send(
        'INVITE',
        {
          headers: [...allowHeader, ...timerHeadersOf(session.terms(), minSe), ...extraHeaders, ...headers],
          body,
        },
        {
          onProvisional: sendPrack,
          onFinal(response) {
            if (response.status < 300) {
              const repeated = acknowledge !== undefined
              if (acknowledge) acknowledge()
              else acknowledge = dialog.acknowledge(response, sent?.credentials())
              if (repeated) return
              if (!closed) agreed(response, description)
            } else if (!closed) refused(response, description)
            finish()
          },
          onFailed(why) {
            if (!closed) onLost(why)
            finish()
          },
        },
      )
    }

    function agreed(response: SipResponse, description: Sdp) {
      dialog.refreshTarget(response)
      session.start(agreedTerms(response))
      settle(sdpOf(response), description)
    }

    function refused(response: SipResponse, description: Sdp) {
      const wait = timers.now() < giveUpAt ? retryIn(response) : undefined
      const peerMinSe = minSeOf(response)
      if (wait !== undefined) after(wait, () => offerLock.acquire(attempt))
      else if (peerMinSe !== undefined && minSe === undefined) {
        minSe = peerMinSe
        offerLock.acquire(attempt)
      } else if (response.status === 481 || response.status === 408) onLost(response)
      else settle(undefined, description)
    }

    if (!closed) offerLock.acquire(attempt)
  }

  /** 14.1: after glare (491) the owner of the Call-ID waits longer, so that the two do not collide again. */
  function retryIn(response: SipResponse): number | undefined {
    const between = (from: number, to: number) => from + 10 * Math.floor((core.random() * (to - from)) / 10)
    // The RFC allows 0 seconds; at least 100 ms keep us from flooding a peer that always answers 491.
    if (response.status === 491) return dialog.ownsCallId ? between(2_100, 4_000) : between(100, 2_000)
    const seconds = response.status === 500 ? retryAfter(response) : undefined
    return seconds !== undefined && seconds <= 10 ? Math.max(seconds, 1) * 1000 : undefined
  }

  function after(ms: number, run: () => void): Timer {
    const timer = timers.after(ms, () => {
      waiting.delete(timer)
      run()
    })
    waiting.add(timer)
    return timer
  }

  return {
    offer,
    close() {
      closed = true
      for (const timer of waiting) timer.cancel()
      waiting.clear()
    },
  }
}
