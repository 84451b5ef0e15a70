/**
 * Identifies the sender of an INVITE. A phone must be registered and authenticates each INVITE with its password; a
 * carrier is known by its address. Everybody else gets the same response as after a wrong password.
 */
import { randomBase62 } from '../../../kit/ids.ts'
import type { Log } from '../../../kit/process/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import type { AuthHeader } from '../../../sip/digest/auth-header.ts'
import type { DigestServer } from '../../../sip/digest/server.ts'
import type { SipRequest } from '../../../sip/message/message.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { buildResponse } from '../../../sip/message/response.ts'
import type { IncomingRequest } from '../../../sip/transaction/transactions.ts'
import { type Flow, sourceOf } from '../../../sip/transport/flow.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { EngineHost, ExtensionName, IncomingCall } from '../../port.ts'
import { type ExtensionRates, tooOften, tooOftenDelayMs } from '../guard/extension-rates.ts'
import type { FailureBudgets } from '../guard/failure-budgets.ts'
import type { Guard } from '../guard/guard.ts'
import { type IdentityClaim, readIdentityClaim } from '../registrar/identity-claim.ts'
import type { Trunk } from '../trunks/trunk.ts'
import type { TrunkInvite, Trunks } from '../trunks/trunks.ts'

/** Wrong passwords are answered this late, which slows down guessing. */
const wrongPasswordDelayMs = 300

type Deps = {
  host: Pick<EngineHost, 'credentials'>
  digest: DigestServer
  timers: Timers
  log: Log
  guard: Pick<Guard, 'succeeded' | 'failed'>
  budgets: FailureBudgets
  rates: Pick<ExtensionRates, 'take'>
  /** The connection of a flow, if there is one, has sent an authenticated message. */
  prove(flow: Flow): void
  trunks: Pick<Trunks, 'identify' | 'isCarrier'>
  /** Our own names, as opposed to the domains of accounts. */
  ownHosts: ReadonlySet<string>
  /** The flow over which the extension's phone registered. */
  flowOf(extension: ExtensionName): Flow | undefined
}

type SignedClaim = IdentityClaim & { credentials: AuthHeader }

/** What is known of a carrier that calls. */
export type CallerTrunk = Pick<Trunk, 'codecs' | 'trust'>

/** `release` gives back the trunk channel that the call occupies. */
export type IdentifiedCall = IncomingCall & { trunk?: CallerTrunk; release(): void }

export function createSenderCheck({
  host,
  digest,
  timers,
  log,
  guard,
  budgets,
  rates,
  prove,
  trunks,
  ownHosts,
  flowOf,
}: Deps) {
  // A stateless response has the same tag when its request is retransmitted (RFC 3261, 8.2.7).
  const statelessTag = randomBase62(12)

  /**
   * D179: an INVITE of a sender who has not received a nonce of ours is challenged without state: one response for each
   * request, and no retransmissions to an address that may be forged. True if the INVITE is answered.
   */
  function challengeStranger(incoming: IncomingRequest): boolean {
    const { request, flow } = incoming
    const claim = readIdentityClaim(request, ownHosts)
    const { credentials, realm } = claim
    const { address } = sourceOf(flow)
    const isCarrier = !credentials && !isAtPhoneAddress(claim, flow) && trunks.identify(flow, request)
    if (isCarrier || (credentials && digest.isCurrent(credentials, realm, address))) return false
    challengeOnce(incoming, realm, credentials !== undefined)
    return true
  }

  /** Undefined when the INVITE was refused or challenged. */
  async function identify(leg: IncomingLeg): Promise<IdentifiedCall | undefined> {
    const claim = readIdentityClaim(leg.request, ownHosts)
    // A request with credentials is a phone's, even at an address that is a carrier's too.
    if (!claim.credentials && !isAtPhoneAddress(claim, leg.flow)) {
      const invite = trunks.identify(leg.flow, leg.request)
      if (invite) return fromCarrier(leg, invite)
    }
    const { credentials } = claim
    if (!credentials) return challenge(leg, claim.realm)
    return await fromPhone(leg, { ...claim, credentials })
  }

  /**
   * D183: a request of a dialog from an address that is not its peer's. A carrier may send from any address of our trunks,
   * a phone from where it is registered now. Elsewhere a phone must authenticate, as when it has changed its network.
   */
  function authorise(extension: ExtensionName | undefined, incoming: IncomingRequest, accept: () => void) {
    const { request, flow } = incoming
    const { address } = sourceOf(flow)
    if (!extension) return trunks.isCarrier(flow.remote.address) ? accept() : refuseForeign(incoming)
    const registered = flowOf(extension)
    if (registered && sourceOf(registered).address === address) return accept()
    // An ACK cannot be challenged.
    if (request.method === 'ACK') return
    const claim = readIdentityClaim(request, ownHosts)
    const { credentials, realm } = claim
    if (!credentials || !digest.isCurrent(credentials, realm, address)) {
      return challengeOnce(incoming, realm, credentials !== undefined)
    }
    authenticate({ request, flow }, { ...claim, credentials }).then(
      (verdict) => {
        if (verdict === 'stale') challengeOnce(incoming, realm, true)
        else if (verdict === 'right' && isSame(claim.extension, extension)) accept()
        else refuseForeign(incoming)
      },
      (error: unknown) => {
        log.warn({ err: error }, 'passwords cannot be looked up')
        incoming.respond(buildResponse(request, 503))
      },
    )
  }

  function refuseForeign({ request, respond, respondOnce = respond }: IncomingRequest) {
    if (request.method !== 'ACK') respondOnce(buildResponse(request, 481, { toTag: statelessTag }))
  }

  function challengeOnce(
    { request, flow, respond, respondOnce = respond }: IncomingRequest,
    realm: string,
    stale: boolean,
  ) {
    const headers = challengeHeaders(request, flow, realm, stale)
    respondOnce(buildResponse(request, 407, { headers, toTag: statelessTag }))
  }

  /** Checks the password, and counts the result for the source and the extension. Throws if it cannot be looked up. */
  async function authenticate(
    { request, flow }: Pick<IncomingRequest, 'request' | 'flow'>,
    claim: SignedClaim,
  ) {
    const { realm, credentials, extension } = claim
    const { address } = sourceOf(flow)
    const found = extension && (await host.credentials(extension, claim.login))
    const isTemporary = claim.login !== undefined
    const attempt = extension && { extension, address, credentials: found, isTemporary }
    // D181: an attempt that is not checked is no failure of its source.
    if (attempt && !budgets.mayTry(attempt)) return 'wrong'
    const checked = digest.check({ credentials, realm, request, address, password: found?.password })
    const verdict = checked === 'right' && !attempt ? 'wrong' : checked
    if (verdict === 'wrong') {
      guard.failed(flow, { received: true })
      if (attempt) budgets.failed(attempt)
    } else if (verdict === 'right' && attempt) {
      guard.succeeded(flow)
      budgets.succeeded(attempt)
      prove(flow)
    }
    return verdict
  }

  function fromCarrier(
    leg: IncomingLeg,
    { trunk, take, dialled, callerId }: TrunkInvite,
  ): IdentifiedCall | undefined {
    const release = take()
    if (release) return { from: { trunk: trunk.name, callerId }, dialled, trunk, release }
    leg.refuse(503, [['Reason', 'Q.850;cause=34']])
    return undefined
  }

  /** Not authenticated: the INVITE comes from where the phone it claims to be registered. */
  function isAtPhoneAddress({ named }: IdentityClaim, flow: Flow): boolean {
    const registered = named && flowOf(named)
    if (!registered) return false
    const [one, other] = [sourceOf(registered), sourceOf(flow)]
    return one.port === other.port && one.address === other.address
  }

  async function fromPhone(leg: IncomingLeg, claim: SignedClaim): Promise<IdentifiedCall | undefined> {
    const verdict = await authenticate(leg, claim).catch((error: unknown) => {
      log.warn({ err: error }, 'passwords cannot be looked up')
      return 'unavailable' as const
    })
    const { realm, extension } = claim
    if (verdict === 'unavailable') return refuse(leg, 503)
    if (verdict === 'stale') return challenge(leg, realm, true)
    if (verdict === 'wrong' || !extension) {
      timers.after(wrongPasswordDelayMs, () => challenge(leg, realm))
      return undefined
    }
    if (!flowOf(extension)) return refuse(leg, 403)
    if (!rates.take('INVITE', extension)) {
      timers.after(tooOftenDelayMs, () => leg.refuse(503, tooOften))
      return undefined
    }
    return { from: { extension }, dialled: userOf(leg.request.uri), release() {} }
  }

  function challenge(leg: IncomingLeg, realm: string, stale = false): undefined {
    leg.refuse(407, challengeHeaders(leg.request, leg.flow, realm, stale))
  }

  function challengeHeaders(request: SipRequest, flow: Flow, realm: string, stale: boolean): HeaderPairs {
    const challenged = { request, address: sourceOf(flow).address }
    return digest
      .challenges(realm, challenged, { stale })
      .map((value) => ['Proxy-Authenticate', value] as const)
  }

  function refuse(leg: IncomingLeg, status: number): undefined {
    leg.refuse(status)
  }

  return { challengeStranger, identify, authorise }
}
export type SenderCheck = ReturnType<typeof createSenderCheck>

function isSame(one: ExtensionName | undefined, other: ExtensionName): boolean {
  return one?.number === other.number && one.domain === other.domain
}

export function userOf(uri: Uri): string {
  if (uri.scheme === 'tel') return uri.number
  return uri.scheme === 'other' ? '' : (uri.user ?? '')
}
