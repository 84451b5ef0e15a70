/** How two ends agree on the session interval and its refresher (RFC 4028). */
import { supported } from '../headers/numbers.ts'
import { formatSessionExpires, minSe, sessionExpires } from '../headers/session-timer.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Reply } from './user-agent-core.ts'

export type SessionTerms = { seconds: number; weRefresh: boolean }
type TimerRequest = { seconds: number; minSe?: number | undefined; refresher?: 'uac' | 'uas' }

/** RFC 4028, 4: the smallest session interval, in seconds. */
const minInterval = 90

export const supportedTimer: HeaderPairs = [['Supported', 'timer']]

/** The headers of an INVITE or UPDATE we send. */
export function timerHeaders({ seconds, minSe = minInterval, refresher }: TimerRequest): HeaderPairs {
  return [
    ...supportedTimer,
    ['Session-Expires', formatSessionExpires({ seconds: Math.max(seconds, minSe), refresher })],
    ['Min-SE', String(Math.max(minSe, minInterval))],
  ]
}

/** The headers of a re-INVITE or UPDATE: the refresher stays the same. */
export function timerHeadersOf(terms: SessionTerms | undefined, minSe: number | undefined): HeaderPairs {
  if (!terms) return supportedTimer
  return timerHeaders({ seconds: terms.seconds, minSe, refresher: terms.weRefresh ? 'uac' : 'uas' })
}

/** The Min-SE of a 422. More than a day is not believed. */
export function minSeOf(response: SipResponse): number | undefined {
  const smallest = response.status === 422 ? minSe(response) : undefined
  return smallest !== undefined && smallest <= 86_400 ? smallest : undefined
}

/** What the 2xx to our request agreed on. A shorter interval than the minimum would make us refresh all the time. */
export function agreedTerms(response: SipResponse): SessionTerms | undefined {
  const given = sessionExpires(response)
  return given && { seconds: Math.max(given.seconds, minInterval), weRefresh: given.refresher !== 'uas' }
}

type Answer = { terms: SessionTerms | undefined; headers: HeaderPairs }

/** Answers an INVITE or UPDATE we received. Unless the peer chooses, the refresher stays the same; at first it is us. */
export function answerTimer(
  request: SipRequest,
  ours: number,
  before?: SessionTerms,
): Answer | { refusal: Reply } {
  const given = sessionExpires(request)
  if (given && given.seconds < minInterval) {
    return { refusal: { status: 422, headers: [['Min-SE', String(minInterval)]] } }
  }
  const knowsTimer = supported(request).some((name) => name.toLowerCase() === 'timer')
  if (!given && !knowsTimer) return { terms: undefined, headers: supportedTimer }
  const longest = Math.max(ours, minSe(request) ?? minInterval, minInterval)
  const seconds = Math.min(given?.seconds ?? longest, longest)
  const peerRefreshes =
    given?.refresher === undefined ? before?.weRefresh === false : given.refresher === 'uac'
  const refresher = knowsTimer && peerRefreshes ? 'uac' : 'uas'
  return {
    terms: { seconds, weRefresh: refresher === 'uas' },
    headers: [
      ...supportedTimer,
      ...(refresher === 'uac' ? ([['Require', 'timer']] as const) : []),
      ['Session-Expires', formatSessionExpires({ seconds, refresher })],
    ],
  }
}
