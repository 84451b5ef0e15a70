/** Re-INVITEs of ours (RFC 3261, 14.1). */
import type { Timer } from '../../../../kit/timers.ts'
import { retryAfter } from '../../headers/numbers.ts'
import type { SipResponse } from '../../message/message.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import type { RequestFailure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { createPrackSender } from '../prack.ts'
import type { SentRequest } from '../retrying-sender.ts'
import { sdpBody, sdpOf } from '../session-description.ts'
import { allowHeader, longest, type UserAgentCore } from '../user-agent-core.ts'
import type { OfferLock } from './offer-lock.ts'
import { agreedTerms, minSeOf, supportedTimer, timerHeaders } from './session-terms.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  core: UserAgentCore
  dialog: Dialog
  offerLock: OfferLock
  session: SessionTimer
  /** The other end is no more, or knows nothing of this dialog. */
  onLost(why: SipResponse | RequestFailure): void
}

export function createOutgoingOffers({ core, dialog, offerLock, session, onLost }: Deps) {
  const { timers } = core
  const waiting = new Set<Timer>()
  let closed = false

  /** Calls back with the answer, or without if it was refused; not at all once closed. */
  function offer(describe: () => Sdp, settle: (answer: Sdp | undefined, offered: Sdp) => void) {
    const reliable = createPrackSender(dialog)
    const giveUpAt = timers.now() + longest
    let minSe: number | undefined

    function attempt() {
      const description = describe()
      const { headers, body } = sdpBody(description)
      let acknowledge: (() => void) | undefined
      let sent: SentRequest | undefined
      // One who only ever says that it is trying would hold the floor for good.
      const patience = after(longest, () => sent?.cancel())
      const over = () => {
        patience.cancel()
        waiting.delete(patience)
        if (!closed) offerLock.leave()
      }
      sent = dialog.send(
        'INVITE',
        { headers: [...allowHeader, ...refreshing(minSe), ...headers], body },
        {
          onProvisional: reliable,
          onFinal(response) {
            if (response.status < 300) {
              const repeated = acknowledge !== undefined
              if (acknowledge) acknowledge()
              else acknowledge = dialog.acknowledge(response, sent?.credentials())
              if (repeated) return
              if (!closed) agreed(response, description)
            } else if (!closed) refused(response, description)
            over()
          },
          onFailed(why) {
            if (!closed) onLost(why)
            over()
          },
        },
      )
    }

    function agreed(response: SipResponse, description: Sdp) {
      dialog.refresh(response)
      session.start(agreedTerms(response))
      settle(sdpOf(response), description)
    }

    function refused(response: SipResponse, description: Sdp) {
      const wait = timers.now() < giveUpAt ? retryIn(response) : undefined
      const wanted = minSeOf(response)
      if (wait !== undefined) after(wait, () => offerLock.await(attempt))
      else if (wanted !== undefined && minSe === undefined) {
        minSe = wanted
        offerLock.await(attempt)
      } else if (response.status === 481 || response.status === 408) onLost(response)
      else settle(undefined, description)
    }

    if (!closed) offerLock.await(attempt)
  }

  /** Whoever refreshed so far goes on doing so. */
  function refreshing(minSe: number | undefined) {
    const terms = session.terms()
    if (!terms) return supportedTimer
    return timerHeaders({ seconds: terms.seconds, minSe, refresher: terms.weRefresh ? 'uac' : 'uas' })
  }

  /** 14.1: both began at once; the owner of the Call-ID waits longer, and not both the same. */
  function retryIn(response: SipResponse): number | undefined {
    const between = (from: number, to: number) => from + 10 * Math.floor((core.random() * (to - from)) / 10)
    // It may be no time at all; a little keeps us from asking in a whirl one who always says 491.
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
