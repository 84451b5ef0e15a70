/**
 * The registrar (RFC 3261, 10): authenticates the REGISTERs of phones and hands them to the location service. D76: an
 * extension has one phone, the newest. D111: an unknown extension or domain gets the same response as a wrong password,
 * after the same time.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { Maybe } from '../../../kit/maybe.ts'
import { type Timer, type Timers, withTimeout } from '../../../kit/timers.ts'
import type { Credentials, EngineHost, ExtensionName, Registration } from '../../port.ts'
import type { DigestServer } from '../../sip/digest/server.ts'
import { requires } from '../../sip/headers/numbers.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { buildResponse } from '../../sip/message/response.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import { type Flow, sourceOf } from '../../sip/transport/flow.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import type { Uri } from '../../sip/uri/uri.ts'
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

type Deps = {
  host: Pick<EngineHost, 'onRegistration'> & {
    credentials(extension: ExtensionName, until?: number): Maybe<Credentials | undefined>
  }
  /** D124: with MD5 alone; phones that know nothing else may give up at a second challenge (libre before 3.12 does). */
  digest: DigestServer
  clock: Clock
  timers: Timers
  log: Log
  guard: Pick<Guard, 'succeeded' | 'failed'>
  budgets: FailureBudgets
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
  prove,
  close,
  ping,
  ownHosts = [],
  maxSeconds = () => lifetimes.max,
}: Deps) {
  const ownHostSet = new Set(ownHosts.map((name) => name.toLowerCase()))
  /** Of the last change of a registration. */
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

  function handle(incoming: IncomingRequest) {
    totals.requests += 1
    const unknown = requires(incoming.request).filter((option) => option.toLowerCase() !== 'path')
    if (unknown.length > 0) return respond(incoming, 420, { headers: [['Unsupported', unknown.join(', ')]] })
    const claim = readIdentityClaim(incoming.request, ownHostSet)
    const { credentials, realm } = claim
    if (!credentials) return challengeFirst(incoming, realm)
    if (!digest.isCurrent(credentials, realm, sourceOf(incoming.flow).address))
      return challengeFirst(incoming, realm, true)
    const found = claim.extension && host.credentials(claim.extension, claim.until)
    if (found instanceof Promise) checkAfterLookup(incoming, claim, found)
    else check(incoming, claim, found, timers.now())
  }

  function checkAfterLookup(
    incoming: IncomingRequest,
    claim: IdentityClaim,
    lookup: Promise<Credentials | undefined>,
  ) {
    const [arrivedAt, forgetCountBefore] = [timers.now(), forgetCount]
    lookups += 1
    lookup
      .then(
        (found) => {
          const { connection } = incoming.flow
          if (connection !== undefined && closedDuringLookups.has(connection)) return respond(incoming, 503)
          // The password may have changed during the lookup: the phone must sign again.
          if (forgetCount !== forgetCountBefore) return challenge(incoming, claim.realm, true)
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
    const { realm, credentials, extension } = claim
    if (!credentials) return
    const { request, flow } = incoming
    const { address } = sourceOf(flow)
    if (extension && !budgets.mayTry(extension, address)) return refuseLater(incoming, claim, arrivedAt)
    const verdict = digest.check({ credentials, realm, request, address, password: found?.password })
    if (verdict === 'stale') return challenge(incoming, realm, true)
    if (verdict === 'wrong' || !extension) return refuseLater(incoming, claim, arrivedAt)
    guard.succeeded(flow)
    budgets.succeeded(extension, address)
    prove(flow)
    storing = undefined
    const { status, ...rest } = locations.apply(
      extension,
      incoming,
      readRegisterRequest(incoming.request, maxSeconds()),
    )
    if (status >= 300) totals.refusals += 1
    if (storing === undefined) return respond(incoming, status, rest)
    void withTimeout(timers, storedWithinMs, storing).then(() => respond(incoming, status, rest))
  }

  function refuseLater(incoming: IncomingRequest, { realm, extension }: IdentityClaim, arrivedAt: number) {
    totals.failures += 1
    guard.failed(incoming.flow, { received: true })
    if (extension) budgets.failed(extension)
    if (delayedResponses.size >= maxDelayedResponses) {
      return respond(incoming, 503, { headers: [['Retry-After', String(retrySeconds)]] })
    }
    const timer = timers.after(wrongPasswordDelayMs - (timers.now() - arrivedAt), () => {
      delayedResponses.delete(timer)
      challenge(incoming, realm)
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
    forget(extension: ExtensionName) {
      forgetCount += 1
      locations.forget(extension)
    },
    /** Registrations from before a restart. Phones behind connections must register again. */
    restore(registrations: readonly Registration[]) {
      for (const flow of locations.restore(registrations)) guard.succeeded(flow)
      for (const { extension } of registrations) {
        const restored = locations.get(extension)
        if (restored) budgets.succeeded(extension, sourceOf(restored.flow).address)
      }
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
