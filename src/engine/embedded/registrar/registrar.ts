/**
 * The registrar (RFC 3261, 10): authenticates the REGISTERs of phones and hands them to the location service. D76: an
 * extension has one phone, the newest. D111: an unknown extension or domain gets the same response as a wrong password,
 * after the same time.
 */
import { randomBytes } from 'node:crypto'
import { refusalPhrases } from '../../../contract/calls/refusal-phrases.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Maybe } from '../../../kit/maybe.ts'
import type { Log } from '../../../kit/process/log.ts'
import { type Timer, type Timers, withTimeout } from '../../../kit/timers.ts'
import type { DigestServer } from '../../../sip/digest/server.ts'
import { requires } from '../../../sip/headers/numbers.ts'
import type { SipRequest } from '../../../sip/message/message.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { buildResponse } from '../../../sip/message/response.ts'
import type { IncomingRequest } from '../../../sip/transaction/transactions.ts'
import { type Flow, sourceOf } from '../../../sip/transport/flow.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { Credentials, EngineHost, ExtensionName, Registration, TemporaryLogin } from '../../port.ts'
import { type ExtensionRates, tooOften, tooOftenDelayMs } from '../guard/extension-rates.ts'
import type { FailureBudgets } from '../guard/failure-budgets.ts'
import type { Guard } from '../guard/guard.ts'
import { type IdentityClaim, readIdentityClaim } from './identity-claim.ts'
import { createLocationService, type RegisterResponse } from './location-service.ts'
import { lifetimes, readRegisterRequest } from './register-request.ts'

/** Delay of the response to wrong credentials, counted from the arrival of the request. */
const wrongPasswordDelayMs = 300
const maxDelayedResponses = 1_000
/** Retry-After while passwords cannot be looked up. */
const retrySeconds = 20
/** D423: how long the answer to a phone waits for its registration to be stored; a database that is away keeps no phone out. */
const storedWithinMs = 1_000

/** D616: phones show the reason, and stop at a 403 until their user acts. */
const suspended = { reason: refusalPhrases.suspended }

type Deps = {
  host: Pick<EngineHost, 'onRegistration' | 'credentials'>
  /** D124: with MD5 alone; phones that know nothing else may give up at a second challenge (libre before 3.12 does). */
  digest: DigestServer
  clock: Clock
  timers: Timers
  log: Log
  guard: Pick<Guard, 'succeeded' | 'failed'>
  budgets: FailureBudgets
  rates: Pick<ExtensionRates, 'take'>
  /** The connection of a flow, if there is one, has sent an authenticated message. */
  prove(flow: Flow): void
  /** Closes the connection of a flow, if there is one. */
  close(flow: Flow): void
  /** Sends a few bytes that phones ignore and that keep a NAT mapping alive. */
  ping(flow: Flow): void
  /** Our own names, besides numeric addresses, that phones may register at. */
  ownHosts?: readonly string[]
  /** D110: the longest registration that is granted now. */
  maxSeconds?: (() => number) | undefined
}

/** How to reach a phone. */
export type RegisteredPhone = {
  target: Flow
  contact: Uri
  /** Values of Route headers, the nearest first. */
  path: readonly string[]
  userAgent: string | undefined
}

export function createRegistrar({
  host,
  digest,
  clock,
  timers,
  log,
  guard,
  budgets,
  rates,
  prove,
  close,
  ping,
  ownHosts = [],
  maxSeconds = () => lifetimes.max,
}: Deps) {
  const ownHostSet = new Set(ownHosts.map((name) => name.toLowerCase()))
  /** The write of the last change of a registration. */
  let storing: Maybe<void>
  const locations = createLocationService({
    clock,
    timers,
    close,
    ping,
    onEvent(event) {
      storing = host.onRegistration(event)
    },
  })
  const totals = { requests: 0, failures: 0, refusals: 0 }
  const delayedResponses = new Set<Timer>()
  const tagPrefix = randomBytes(6).toString('hex')
  let responses = 0
  /** Lookups of passwords in progress, and the connections that were closed since the first of them began. */
  let lookups = 0
  const closedDuringLookups = new Set<number>()
  /** Counts calls of `forget`: a password looked up before one may be outdated. */
  let forgetCount = 0
  /** Counts calls of `recheck`, after which the same holds for temporary logins. */
  let recheckCount = 0

  function handle(incoming: IncomingRequest) {
    totals.requests += 1
    const unknown = requires(incoming.request).filter((option) => option.toLowerCase() !== 'path')
    if (unknown.length > 0) return respond(incoming, 420, { headers: [['Unsupported', unknown.join(', ')]] })
    const claim = readIdentityClaim(incoming.request, ownHostSet)
    const { credentials, realm } = claim
    if (!credentials) return challengeFirst(incoming, realm)
    if (!digest.isCurrent(credentials, realm, sourceOf(incoming.flow).address))
      return challengeFirst(incoming, realm, true)
    const found = claim.extension && host.credentials(claim.extension, claim.login)
    if (found instanceof Promise) checkAfterLookup(incoming, claim, found)
    else check(incoming, claim, found, timers.now())
  }

  function checkAfterLookup(
    incoming: IncomingRequest,
    claim: IdentityClaim,
    lookup: Promise<Credentials | undefined>,
  ) {
    const arrivedAt = timers.now()
    const changes = () => forgetCount + (claim.login ? recheckCount : 0)
    const changesBefore = changes()
    lookups += 1
    lookup
      .then(
        (found) => {
          const { connection } = incoming.flow
          if (connection !== undefined && closedDuringLookups.has(connection)) return respond(incoming, 503)
          // The password, or the right to it, may have changed during the lookup: the phone must sign again.
          if (changes() !== changesBefore) return challenge(incoming, claim.realm, true)
          return check(incoming, claim, found, arrivedAt)
        },
        (error: unknown) => {
          log.warn({ err: error }, 'registrar: passwords cannot be looked up')
          respond(incoming, 503, { headers: [['Retry-After', String(retrySeconds)]] })
        },
      )
      .catch((error: unknown) => log.error({ err: error }, 'registrar: a REGISTER failed'))
      .finally(() => {
        lookups -= 1
        if (lookups === 0) closedDuringLookups.clear()
      })
  }

  function check(
    incoming: IncomingRequest,
    claim: IdentityClaim,
    found: Credentials | undefined,
    arrivedAt: number,
  ) {
    const { realm, credentials, extension, login } = claim
    if (!credentials) return
    const { request, flow } = incoming
    const { address } = sourceOf(flow)
    const attempt = extension && { extension, address, credentials: found, isTemporary: login !== undefined }
    if (attempt && !budgets.mayTry(attempt)) return refuseLater(incoming, claim, arrivedAt)
    const verdict = digest.check({ credentials, realm, request, address, password: found?.password })
    if (verdict === 'stale') return challenge(incoming, realm, true)
    if (verdict === 'wrong' || !extension || !attempt) {
      guard.failed(flow, { received: true })
      if (attempt) budgets.failed(attempt)
      return refuseLater(incoming, claim, arrivedAt)
    }
    guard.succeeded(flow)
    budgets.succeeded(attempt)
    prove(flow)
    if (found?.isSuspended) {
      totals.refusals += 1
      return respond(incoming, 403, suspended)
    }
    if (!rates.take('REGISTER', extension)) {
      return respondLater(tooOftenDelayMs, incoming, () => respond(incoming, 503, { headers: tooOften }))
    }
    storing = undefined
    const seconds = Math.min(maxSeconds(), secondsLeft(login))
    const { status, ...rest } = locations.apply(
      extension,
      incoming,
      readRegisterRequest(request, seconds),
      login?.userId,
    )
    if (status >= 300) totals.refusals += 1
    if (storing === undefined) return respond(incoming, status, rest)
    void withTimeout(timers, storedWithinMs, storing).then(() => respond(incoming, status, rest))
  }

  /** D110: a registration does not outlive the credentials it was made with. */
  function secondsLeft(login: TemporaryLogin | undefined): number {
    if (!login) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.floor(login.until - clock.now().getTime() / 1000))
  }

  /** Phones whose user may still use the extension stay. If that cannot be looked up, they stay until they expire. */
  async function recheck(userId: number) {
    recheckCount += 1
    for (const { extension, expiresAt } of locations.heldBy(userId)) {
      const login = { userId, until: Math.ceil(expiresAt / 1000) }
      const found = await host.credentials(extension, login)
      if (!found && locations.get(extension)?.userId === userId) forget(extension)
    }
  }

  function forget(extension: ExtensionName) {
    forgetCount += 1
    locations.forget(extension)
  }

  function refuseLater(incoming: IncomingRequest, { realm }: IdentityClaim, arrivedAt: number) {
    totals.failures += 1
    const ms = wrongPasswordDelayMs - (timers.now() - arrivedAt)
    respondLater(ms, incoming, () => challenge(incoming, realm))
  }

  function respondLater(ms: number, incoming: IncomingRequest, run: () => void) {
    if (delayedResponses.size >= maxDelayedResponses) {
      return respond(incoming, 503, { headers: [['Retry-After', String(retrySeconds)]] })
    }
    const timer = timers.after(ms, () => {
      delayedResponses.delete(timer)
      run()
    })
    delayedResponses.add(timer)
  }

  /** Stateless: no transaction is kept for a sender without a nonce; a retransmission gets the same response again. */
  function challengeFirst(incoming: IncomingRequest, realm: string, stale = false) {
    const { request, respond, respondOnce = respond } = incoming
    const headers = challengeHeaders(incoming, realm, stale)
    respondOnce(buildResponse(request, 401, { headers, toTag: tagPrefix }))
  }

  function challenge(incoming: IncomingRequest, realm: string, stale = false) {
    respond(incoming, 401, { headers: challengeHeaders(incoming, realm, stale) })
  }

  function challengeHeaders({ request, flow }: IncomingRequest, realm: string, stale: boolean): HeaderPairs {
    const challenged = { request, address: sourceOf(flow).address }
    return digest
      .challenges(realm, challenged, { stale })
      .map((value) => ['WWW-Authenticate', value] as const)
  }

  function respond(
    incoming: IncomingRequest,
    status: number,
    options: Omit<RegisterResponse, 'status'> = {},
  ) {
    responses += 1
    const toTag = `${tagPrefix}${responses.toString(36)}`
    incoming.respond(buildResponse(incoming.request, status, { ...options, toTag }))
  }

  return {
    /** A REGISTER that is no retransmission. */
    handle,
    /** Removes the bindings of phones behind the connection. */
    onConnectionClosed(flow: Flow) {
      if (flow.connection === undefined) return
      if (lookups > 0) closedDuringLookups.add(flow.connection)
      locations.onConnectionClosed(flow.connection)
    },
    find(extension: ExtensionName): RegisteredPhone | undefined {
      const binding = locations.get(extension)
      if (!binding) return undefined
      const { flow, path, userAgent } = binding
      const uri = parseUri(binding.contact)
      // Headers in a URI are for links on web pages.
      const contact = uri.scheme === 'sip' || uri.scheme === 'sips' ? { ...uri, headers: [] } : uri
      return { target: flow, contact, path, userAgent }
    },
    registration: (extension: ExtensionName): Registration | undefined => locations.registration(extension),
    prolong: locations.prolong,
    /** The extension that a request names, not authenticated. */
    named: (request: SipRequest) => readIdentityClaim(request, ownHostSet).named,
    forget,
    recheck(userId: number) {
      recheck(userId).catch((error: unknown) =>
        log.warn({ err: error }, 'registrar: rights cannot be looked up'),
      )
    },
    /** Registrations from before a restart. Phones behind connections must register again. */
    restore(registrations: readonly Registration[]) {
      for (const flow of locations.restore(registrations)) guard.succeeded(flow)
    },
    count: () => locations.count(),
    metrics: () => ({
      registrations: locations.count(),
      registers_total: totals.requests,
      register_failures_total: totals.failures,
      register_refusals_total: totals.refusals,
      registrations_displaced_total: locations.displacements(),
    }),
    stop() {
      for (const timer of delayedResponses) timer.cancel()
      locations.stop()
    },
  }
}
