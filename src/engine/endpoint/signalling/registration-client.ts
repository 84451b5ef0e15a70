/**
 * Keeps a registration at a registrar: refreshes it before it expires, retries with increasing delay while it fails,
 * and removes it at the end.
 *
 *   trying ──2xx──▶ registered ──refresh fails──▶ failed
 *      └──anything else──▶ failed ──later──▶ trying
 */
import { randomBytes } from 'node:crypto'
import { type Timer, type Timers, withTimeout } from '../../../kit/timers.ts'
import { formatAddress } from '../../../sip/headers/address.ts'
import { expires, minExpires, retryAfter } from '../../../sip/headers/numbers.ts'
import { contactExpires, contacts } from '../../../sip/headers/parties.ts'
import type { SipResponse } from '../../../sip/message/message.ts'
import { sameUri } from '../../../sip/uri/compare.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { RequestOptions } from '../../../sip/user-agent/out-of-dialog-request.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'

export type RegistrationState =
  | { state: 'trying' }
  | { state: 'registered'; seconds: number }
  /** Without a status the registrar did not answer. */
  | { state: 'failed'; status: number | undefined; reason: string; retrySeconds: number | undefined }

type Settings = {
  userAgent: Pick<UserAgent, 'request'>
  timers: Timers
  /** The registrar and the address of record; From and To are the same. */
  request: Pick<RequestOptions, 'uri' | 'target' | 'from' | 'to' | 'login'>
  contact: Uri
  /** The expiry we ask for; the registrar may grant another. */
  seconds: number
  /** False for a failure that a retry cannot solve. */
  shouldRetry?(status: number | undefined): boolean
  onChange(state: RegistrationState): void
}

const firstRetrySeconds = 5
const maxRetrySeconds = 600
/** A shorter expiry would have us send nothing but REGISTER. */
const minRefreshSeconds = 5
/** A registrar that does not answer must not delay our stop. */
const unregisterMs = 2000
/** Leaves CSeq numbers for the requests that answer a challenge. */
const sequenceStep = 4

export function createRegistrationClient(settings: Settings) {
  const { userAgent, timers, contact, onChange, shouldRetry = () => true } = settings
  const callId = randomBytes(16).toString('hex')
  let { seconds } = settings
  let cseq = 1
  let failures = 0
  let registered = false
  let stopped = false
  let timer: Timer | undefined
  let registering: Promise<void> | undefined

  function send(expirySeconds: number): Promise<SipResponse | undefined> {
    cseq += sequenceStep
    const headers: [string, string][] = [
      ['Contact', formatAddress({ uri: contact })],
      ['Expires', String(expirySeconds)],
    ]
    return userAgent.request({ ...settings.request, method: 'REGISTER', headers, callId, cseq })
  }

  function schedule(afterSeconds: number) {
    timer = timers.after(1000 * afterSeconds, begin)
  }

  async function register() {
    const answer = await send(seconds)
    const minSeconds = answer?.status === 423 ? minExpires(answer) : undefined
    if (minSeconds !== undefined && minSeconds > seconds && minSeconds <= 86_400 && !stopped) {
      seconds = minSeconds
      return await register()
    }
    const succeeded = answer !== undefined && answer.status >= 200 && answer.status < 300
    registered = succeeded
    if (stopped) return
    if (succeeded) succeed(answer)
    else fail(answer)
  }

  function succeed(answer: SipResponse) {
    failures = 0
    const granted = Math.max(minRefreshSeconds, grantedSeconds(answer, contact) ?? seconds)
    onChange({ state: 'registered', seconds: granted })
    // Early enough for a lost request and its retransmissions.
    schedule(Math.max(granted / 2, granted - 60))
  }

  function fail(answer: SipResponse | undefined) {
    failures += 1
    const status = answer?.status
    const backoff = Math.min(maxRetrySeconds, firstRetrySeconds * 2 ** Math.min(failures - 1, 10))
    const retrySeconds = shouldRetry(status)
      ? Math.min(maxRetrySeconds, Math.max(backoff, (answer && retryAfter(answer)) ?? 0))
      : undefined
    onChange({ state: 'failed', status, reason: answer?.reason ?? 'no answer', retrySeconds })
    if (retrySeconds !== undefined) schedule(retrySeconds)
  }

  function begin() {
    timer?.cancel()
    registering ??= register().finally(() => {
      registering = undefined
    })
  }

  onChange({ state: 'trying' })
  begin()
  return {
    /** Refreshes at once, because the connection to the registrar, and perhaps the registration, was lost. */
    renew() {
      if (!stopped && registered) begin()
    },
    /** Removes the registration if there is one. */
    async stop() {
      if (stopped) return
      stopped = true
      timer?.cancel()
      if (registering !== undefined) await withTimeout(timers, unregisterMs, registering)
      if (registered) await withTimeout(timers, unregisterMs, send(0))
    },
  }
}
export type RegistrationClient = ReturnType<typeof createRegistrationClient>

/** The expiry that the registrar granted to our contact; contacts that cannot be parsed are ignored. */
function grantedSeconds(answer: SipResponse, ours: Uri): number | undefined {
  try {
    const listed = contacts(answer)
    const own = listed === '*' ? undefined : (listed.find(({ uri }) => sameUri(uri, ours)) ?? listed[0])
    return (own && contactExpires(own)) ?? expires(answer)
  } catch {
    return expires(answer)
  }
}
