/**
 * A registration of ours at somebody's registrar: begun, kept alive before it expires, tried again ever more slowly
 * while it fails, and taken back at the end.
 *
 *   trying ──2xx──▶ registered ──refresh fails──▶ failed
 *      └──anything else──▶ failed ──later──▶ trying
 */
import { randomBytes } from 'node:crypto'
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { RequestOptions, UserAgent } from '../../sip/dialog/leg.ts'
import { formatAddress } from '../../sip/headers/address.ts'
import { expires, minExpires, retryAfter } from '../../sip/headers/numbers.ts'
import { contactExpires, contacts } from '../../sip/headers/parties.ts'
import type { SipResponse } from '../../sip/message/message.ts'
import { sameUri } from '../../sip/uri/compare.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import { patiently } from './with-timeout.ts'

export type RegisteringState =
  | { state: 'trying' }
  | { state: 'registered'; seconds: number }
  /** Without a status nobody answered. */
  | { state: 'failed'; status: number | undefined; reason: string; retrySeconds: number | undefined }

type Settings = {
  userAgent: Pick<UserAgent, 'request'>
  timers: Timers
  /** The registrar and the name that is registered there; From and To are the same. */
  asking: Pick<RequestOptions, 'uri' | 'target' | 'from' | 'to' | 'login'>
  contact: Uri
  /** Asked for; the registrar has the last word. */
  seconds: number
  /** False for a failure that trying again would not mend. */
  retries?(status: number | undefined): boolean
  changed(state: RegisteringState): void
}

const firstRetry = 5
const longestRetry = 600
/** A registrar that says less than this would have us do nothing else. */
const shortestRefresh = 5
/** A registrar that is gone must not keep us. */
const goodbyeMs = 2000
/** Room for the requests that answer a challenge, which count on from ours. */
const sequenceStep = 4

export function createRegistering(settings: Settings) {
  const { userAgent, timers, contact, changed, retries = () => true } = settings
  const callId = randomBytes(16).toString('hex')
  let { seconds } = settings
  let cseq = 1
  let failures = 0
  let registered = false
  let stopped = false
  let timer: Timer | undefined
  let asking: Promise<void> | undefined

  function send(lasting: number): Promise<SipResponse | undefined> {
    cseq += sequenceStep
    const headers: [string, string][] = [
      ['Contact', formatAddress({ uri: contact })],
      ['Expires', String(lasting)],
    ]
    return userAgent.request({ ...settings.asking, method: 'REGISTER', headers, callId, cseq })
  }

  function plan(afterSeconds: number) {
    timer = timers.after(1000 * afterSeconds, begin)
  }

  async function register() {
    const answer = await send(seconds)
    const least = answer?.status === 423 ? minExpires(answer) : undefined
    if (least !== undefined && least > seconds && least <= 86_400 && !stopped) {
      seconds = least
      return await register()
    }
    const good = answer !== undefined && answer.status >= 200 && answer.status < 300
    registered = good
    if (stopped) return
    if (good) succeed(answer)
    else fail(answer)
  }

  function succeed(answer: SipResponse) {
    failures = 0
    const granted = Math.max(shortestRefresh, grantedSeconds(answer, contact) ?? seconds)
    changed({ state: 'registered', seconds: granted })
    // Early enough that a lost request and its repetitions still fit.
    plan(Math.max(granted / 2, granted - 60))
  }

  function fail(answer: SipResponse | undefined) {
    failures += 1
    const status = answer?.status
    const later = Math.min(longestRetry, firstRetry * 2 ** Math.min(failures - 1, 10))
    const retrySeconds = retries(status)
      ? Math.min(longestRetry, Math.max(later, (answer && retryAfter(answer)) ?? 0))
      : undefined
    changed({ state: 'failed', status, reason: answer?.reason ?? 'no answer', retrySeconds })
    if (retrySeconds !== undefined) plan(retrySeconds)
  }

  function begin() {
    timer?.cancel()
    asking ??= register().finally(() => {
      asking = undefined
    })
  }

  changed({ state: 'trying' })
  begin()
  return {
    /** At once: the way to the registrar was lost, and with it perhaps the registration. */
    renew() {
      if (!stopped && registered) begin()
    },
    /** Says goodbye if there is anything to take back. */
    async stop() {
      if (stopped) return
      stopped = true
      timer?.cancel()
      if (asking !== undefined) await patiently(timers, goodbyeMs, asking)
      if (registered) await patiently(timers, goodbyeMs, send(0))
    },
  }
}
export type Registering = ReturnType<typeof createRegistering>

/** What the registrar granted to our contact; unreadable ones, and those of others, tell nothing. */
function grantedSeconds(answer: SipResponse, ours: Uri): number | undefined {
  try {
    const listed = contacts(answer)
    const own = listed === '*' ? undefined : (listed.find(({ uri }) => sameUri(uri, ours)) ?? listed[0])
    return (own && contactExpires(own)) ?? expires(answer)
  } catch {
    return expires(answer)
  }
}
