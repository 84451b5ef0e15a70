/**
 * Identifies the sender of an INVITE. A phone must be registered and authenticates each INVITE with its password; a
 * carrier is known by its address. Everybody else gets the same response as after a wrong password.
 */
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Credentials, EngineHost, ExtensionName, IncomingCall } from '../../port.ts'
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import { createDigestServer } from '../../sip/digest/server.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import type { Guard } from '../guard/guard.ts'
import { type IdentityClaim, readIdentityClaim } from '../registrar/identity-claim.ts'
import type { TrunkInvite, Trunks } from '../trunks/trunks.ts'

const nonceSeconds = 300
const maxNonces = 20_000
/** Wrong passwords are answered this late, which slows down guessing. */
const wrongPasswordDelayMs = 300

type Deps = {
  host: Pick<EngineHost, 'credentials'>
  digestKey: KeyObject
  clock: Clock
  timers: Timers
  log: Log
  guard: Pick<Guard, 'succeeded' | 'failed'>
  trunks: Pick<Trunks, 'identify'>
  /** Our own names, as opposed to the domains of accounts. */
  ownHosts: ReadonlySet<string>
  /** The flow over which the extension's phone registered. */
  flowOf(extension: ExtensionName): Flow | undefined
}

/** `release` gives back the trunk channel that the call occupies. */
export type IdentifiedCall = IncomingCall & { release(): void }

export function createSenderCheck({
  host,
  digestKey,
  clock,
  timers,
  log,
  guard,
  trunks,
  ownHosts,
  flowOf,
}: Deps) {
  const digest = createDigestServer({
    key: digestKey,
    clock,
    nonceSeconds,
    nonces: maxNonces,
    // D124: MD5 alone, as in the registrar.
    algorithms: ['MD5'],
  })

  /** Undefined when the INVITE was refused or challenged. */
  async function identify(leg: IncomingLeg): Promise<IdentifiedCall | undefined> {
    const claim = readIdentityClaim(leg.request, ownHosts)
    // A request with credentials is a phone's, even at an address that is a carrier's too.
    if (!claim.credentials && !isAtPhoneAddress(claim, leg.flow)) {
      const invite = trunks.identify(leg.flow, leg.request)
      if (invite) return fromCarrier(leg, invite)
    }
    if (!claim.credentials) return challenge(leg, claim.realm)
    return await fromPhone(leg, claim)
  }

  function fromCarrier(
    leg: IncomingLeg,
    { trunk, take, dialled, callerId }: TrunkInvite,
  ): IdentifiedCall | undefined {
    const release = take()
    if (release) return { from: { trunk: trunk.name, callerId }, dialled, release }
    leg.refuse(503, [['Reason', 'Q.850;cause=34']])
    return undefined
  }

  /** Not authenticated: the INVITE comes from where the phone it claims to be registered. */
  function isAtPhoneAddress({ named }: IdentityClaim, { remote }: Flow): boolean {
    const registered = named && flowOf(named)?.remote
    return registered?.port === remote.port && registered.address === remote.address
  }

  async function fromPhone(leg: IncomingLeg, claim: IdentityClaim): Promise<IdentifiedCall | undefined> {
    const found = await findCredentials(claim).catch((error: unknown) => {
      log.warn({ err: error }, 'passwords cannot be looked up')
      return 'unavailable' as const
    })
    if (found === 'unavailable') return refuse(leg, 503)
    const { realm, credentials, extension } = claim
    if (!credentials) return undefined
    const verdict = digest.check({ credentials, realm, method: 'INVITE', password: found?.password })
    if (verdict === 'stale') return challenge(leg, realm, true)
    if (verdict === 'wrong' || !extension) {
      guard.failed(leg.flow.remote)
      timers.after(wrongPasswordDelayMs, () => challenge(leg, realm))
      return undefined
    }
    guard.succeeded(leg.flow.remote)
    if (!flowOf(extension)) return refuse(leg, 403)
    return { from: { extension }, dialled: userOf(leg.request.uri), release() {} }
  }

  async function findCredentials({ extension }: IdentityClaim): Promise<Credentials | undefined> {
    return extension && (await host.credentials(extension))
  }

  function challenge(leg: IncomingLeg, realm: string, stale = false): undefined {
    const challenges = digest.challenges(realm, { stale })
    leg.refuse(
      407,
      challenges.map((value) => ['Proxy-Authenticate', value] as const),
    )
  }

  function refuse(leg: IncomingLeg, status: number): undefined {
    leg.refuse(status)
  }

  return { identify }
}
export type SenderCheck = ReturnType<typeof createSenderCheck>

function userOf(uri: Uri): string {
  if (uri.scheme === 'tel') return uri.number
  return uri.scheme === 'other' ? '' : (uri.user ?? '')
}
