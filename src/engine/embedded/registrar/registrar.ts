/**
 * The registrar (RFC 3261, 10): phones say where they are and prove whose they are. An extension has one phone, the
 * newest (D76). D111: that an extension or a domain does not exist cannot be told from a wrong password: the answer is
 * the same, and comes the same time after the question.
 */
import { type KeyObject, randomBytes } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { Maybe } from '../../../kit/maybe.ts'
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { Credentials, EngineHost, ExtensionName, Registration } from '../../port.ts'
import { nonceTime } from '../../sip/digest/nonce.ts'
import { createDigestServer } from '../../sip/digest/server.ts'
import { requires } from '../../sip/headers/numbers.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { buildResponse } from '../../sip/message/response.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import type { Guard } from '../guard/guard.ts'
import { type Claim, readClaim } from './identity-claim.ts'
import { createLocations, type Outcome } from './location-service.ts'
import { readWish } from './register-request.ts'

/** How long a phone may use a nonce, and how many in use are watched for replays. */
const nonceSeconds = 300
const mostNonces = 20_000
/** When wrong credentials are answered, counted from their arrival; most waiting at once. */
const wrongAfterMs = 300
const mostWaiting = 1_000
/** While passwords cannot be looked up. */
const retrySeconds = 20

type Deps = {
  host: Pick<EngineHost, 'onRegistration'> & {
    credentials(extension: ExtensionName): Maybe<Credentials | undefined>
  }
  digestKey: KeyObject
  clock: Clock
  timers: Timers
  log: Log
  /** What becomes of a source's tries. */
  guard: Pick<Guard, 'succeeded' | 'failed'>
  /** Closes the connection of a flow, if there is one. */
  close(flow: Flow): void
  /** Sends a few bytes that no phone minds, so that a NAT keeps the way open. */
  ping(flow: Flow): void
  /** Names of our own that phones may register at, besides numeric addresses. */
  hosts?: readonly string[]
}

/** How to call a phone. */
export type Found = {
  target: Flow
  contact: Uri
  /** Values of Route headers, the nearest first. */
  path: readonly string[]
  userAgent: string | undefined
}

export function createRegistrar({ host, digestKey, timers, log, guard, ...deps }: Deps) {
  const { clock } = deps
  const hosts = new Set(deps.hosts?.map((host) => host.toLowerCase()))
  // D124: MD5 alone; phones that know nothing else may give up at a second challenge (libre before 3.12 does).
  const digest = createDigestServer({
    key: digestKey,
    clock,
    nonceSeconds,
    nonces: mostNonces,
    algorithms: ['MD5'],
  })
  const locations = createLocations({ ...deps, timers, tell: host.onRegistration })
  const totals = { requests: 0, failures: 0, refusals: 0 }
  const waiting = new Set<Timer>()
  let looking = 0
  const tags = randomBytes(6).toString('hex')
  let answers = 0
  /** Counts forgettings: a password read before one may be the old one. */
  let forgettings = 0
  const closedMeanwhile = new Set<number>()

  function handle(incoming: IncomingRequest) {
    totals.requests += 1
    const unknown = requires(incoming.request).filter((option) => option.toLowerCase() !== 'path')
    if (unknown.length > 0) return answer(incoming, 420, { headers: [['Unsupported', unknown.join(', ')]] })
    const claim = readClaim(incoming.request, hosts)
    if (!claim.credentials) return greet(incoming, claim.realm)
    const found = claim.extension && host.credentials(claim.extension)
    if (found instanceof Promise) look(incoming, claim, found)
    else check(incoming, claim, found, timers.now())
  }

  function look(incoming: IncomingRequest, claim: Claim, lookup: Promise<Credentials | undefined>) {
    const [arrived, before] = [timers.now(), forgettings]
    looking += 1
    lookup
      .then(
        (found) => {
          const { connection } = incoming.flow
          if (connection !== undefined && closedMeanwhile.has(connection)) return answer(incoming, 503)
          // Changed while we asked: the phone signs once more, and is checked by what holds now.
          if (forgettings !== before) return challenge(incoming, claim.realm, true)
          return check(incoming, claim, found, arrived)
        },
        (error: unknown) => {
          log.warn({ err: error }, 'registrar: passwords cannot be looked up')
          answer(incoming, 503, { headers: [['Retry-After', String(retrySeconds)]] })
        },
      )
      .catch((error: unknown) => log.error({ err: error }, 'registrar: a REGISTER failed'))
      .finally(() => {
        looking -= 1
        if (looking === 0) closedMeanwhile.clear()
      })
  }

  function check(incoming: IncomingRequest, claim: Claim, found: Credentials | undefined, arrived: number) {
    const { realm, credentials, extension } = claim
    if (!credentials) return
    const verdict = digest.check({ credentials, realm, method: 'REGISTER', password: found?.password })
    if (verdict === 'stale') return challenge(incoming, realm, true)
    if (verdict === 'wrong' || !extension) return refuseLater(incoming, claim, arrived)
    guard.succeeded(incoming.flow.remote)
    const wish = readWish(incoming.request)
    report(incoming, locations.apply(extension, incoming, wish))
  }

  /** A nonce that is not ours proves no guess: phones keep those of a server that was here before us. */
  function refuseLater(incoming: IncomingRequest, { realm, credentials }: Claim, arrived: number) {
    totals.failures += 1
    const nonce = credentials?.params.get('nonce') ?? ''
    if (nonceTime(digestKey, realm, nonce) !== undefined) guard.failed(incoming.flow.remote)
    if (waiting.size >= mostWaiting) {
      return answer(incoming, 503, { headers: [['Retry-After', String(retrySeconds)]] })
    }
    const timer = timers.after(wrongAfterMs - (timers.now() - arrived), () => {
      waiting.delete(timer)
      challenge(incoming, realm)
    })
    waiting.add(timer)
  }

  /** Nothing is remembered of who has shown nothing yet: should the question come again, it is answered anew. */
  function greet(incoming: IncomingRequest, realm: string) {
    const { request, respond, respondOnce = respond } = incoming
    respondOnce(buildResponse(request, 401, { headers: challenges(realm, false), toTag: tags }))
  }

  function challenge(incoming: IncomingRequest, realm: string, stale = false) {
    answer(incoming, 401, { headers: challenges(realm, stale) })
  }

  function challenges(realm: string, stale: boolean): HeaderPairs {
    return digest.challenges(realm, { stale }).map((value) => ['WWW-Authenticate', value] as const)
  }

  function report(incoming: IncomingRequest, { status, ...more }: Outcome) {
    if (status >= 300) totals.refusals += 1
    answer(incoming, status, more)
  }

  function answer(
    incoming: IncomingRequest,
    status: number,
    more: { reason?: string; headers?: HeaderPairs } = {},
  ) {
    answers += 1
    const toTag = `${tags}${answers.toString(36)}`
    incoming.respond(buildResponse(incoming.request, status, { ...more, toTag }))
  }

  return {
    /** A REGISTER that is no repetition. */
    handle,
    /** A connection is gone, and whoever was reached by it. */
    connectionClosed(flow: Flow) {
      if (flow.connection === undefined) return
      if (looking > 0) closedMeanwhile.add(flow.connection)
      locations.connectionClosed(flow.connection)
    },
    find(extension: ExtensionName): Found | undefined {
      const binding = locations.get(extension)
      if (!binding) return undefined
      const { flow, path, userAgent } = binding
      const uri = parseUri(binding.contact)
      // What a URI says of headers is for links on pages.
      const contact = uri.scheme === 'sip' || uri.scheme === 'sips' ? { ...uri, headers: [] } : uri
      return { target: flow, contact, path, userAgent }
    },
    registration: (extension: ExtensionName): Registration | undefined => locations.registration(extension),
    forget(extension: ExtensionName) {
      forgettings += 1
      locations.forget(extension)
    },
    /** Those of before a restart, unless they are here already. Phones on connections must come by themselves. */
    restore(registrations: readonly Registration[]) {
      for (const { remote } of locations.restore(registrations)) guard.succeeded(remote)
    },
    count: () => locations.count(),
    figures: () => ({
      registrations: locations.count(),
      registers_total: totals.requests,
      register_failures_total: totals.failures,
      register_refusals_total: totals.refusals,
      registrations_displaced_total: locations.displacements(),
    }),
    stop() {
      for (const timer of waiting) timer.cancel()
      locations.stop()
    },
  }
}
