/** What two ends agree on about session timers (RFC 4028). */
import { supported } from '../../headers/numbers.ts'
import { formatSessionExpires, minSe, sessionExpires } from '../../headers/session-timer.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Reply } from '../user-agent-core.ts'

export type SessionTerms = { seconds: number; weRefresh: boolean }
type Wish = { seconds: number; minSe?: number | undefined; refresher?: 'uac' | 'uas' }

/** RFC 4028, 4: nobody may ask for less. */
const minInterval = 90

export const supportedTimer: HeaderPairs = [['Supported', 'timer']]

/** For an INVITE or UPDATE of ours. */
export function timerHeaders({ seconds, minSe = minInterval, refresher }: Wish): HeaderPairs {
  return [
    ...supportedTimer,
    ['Session-Expires', formatSessionExpires({ seconds: Math.max(seconds, minSe), refresher })],
    ['Min-SE', String(Math.max(minSe, minInterval))],
  ]
}

/** A 422 says what would do; no more than a day is believed. */
export function minSeOf(response: SipResponse): number | undefined {
  const least = response.status === 422 ? minSe(response) : undefined
  return least !== undefined && least <= 86_400 ? least : undefined
}

/** What a 2xx to such a request came to. An interval below the smallest would have us refresh without end. */
export function agreedTerms(response: SipResponse): SessionTerms | undefined {
  const given = sessionExpires(response)
  return given && { seconds: Math.max(given.seconds, minInterval), weRefresh: given.refresher !== 'uas' }
}

type Answer = { terms: SessionTerms | undefined; headers: HeaderPairs }

/** For an INVITE or UPDATE of theirs. Unless they choose, whoever refreshed so far goes on, and at first we do. */
export function answerTimer(
  request: SipRequest,
  ours: number,
  before?: SessionTerms,
): Answer | { refusal: Reply } {
  const given = sessionExpires(request)
  if (given && given.seconds < minInterval) {
    return { refusal: { status: 422, headers: [['Min-SE', String(minInterval)]] } }
  }
  const capable = supported(request).some((name) => name.toLowerCase() === 'timer')
  if (!given && !capable) return { terms: undefined, headers: supportedTimer }
  const most = Math.max(ours, minSe(request) ?? minInterval, minInterval)
  const seconds = Math.min(given?.seconds ?? most, most)
  const theirTurn = given?.refresher === undefined ? before?.weRefresh === false : given.refresher === 'uac'
  const refresher = capable && theirTurn ? 'uac' : 'uas'
  return {
    terms: { seconds, weRefresh: refresher === 'uas' },
    headers: [
      ...supportedTimer,
      ...(refresher === 'uac' ? ([['Require', 'timer']] as const) : []),
      ['Session-Expires', formatSessionExpires({ seconds, refresher })],
    ],
  }
}
