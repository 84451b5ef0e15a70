/**
 * Who an INVITE is from. Only phones that are registered may call, and prove each time that they know the password;
 * a carrier is known by its address. To anybody else everything looks like a wrong password.
 */
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Arrival, Credentials, EngineHost, ExtensionName } from '../../port.ts'
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import { createDigestServer } from '../../sip/digest/server.ts'
import type { Flow, Peer } from '../../sip/transport/flow.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import { type Claim, readClaim } from '../registrar/claim.ts'
import type { Trunks } from '../trunks/trunks.ts'

const nonceSeconds = 300
const mostNonces = 20_000
/** Guesses are answered this late. */
const wrongAfterMs = 300

type Deps = {
  house: Pick<EngineHost, 'credentials'>
  digestKey: KeyObject
  clock: Clock
  timers: Timers
  log: Log
  guard: { good(remote: Peer): void; failed(remote: Peer): void }
  trunks: Pick<Trunks, 'whose'>
  hosts: ReadonlySet<string>
  registeredBy(extension: ExtensionName): Flow | undefined
}

/** With what the call occupies while it lasts. */
export type Caller = Arrival & { release(): void }

export function createWhoCalls(deps: Deps) {
  const { house, timers, log, guard, trunks, hosts } = deps
  // As when they register.
  const digest = createDigestServer({
    key: deps.digestKey,
    clock: deps.clock,
    nonceSeconds,
    nonces: mostNonces,
    algorithms: ['MD5'],
  })

  /** Undefined when the call has been refused, or asked to prove itself. */
  async function find(leg: IncomingLeg): Promise<Caller | undefined> {
    const claim = readClaim(leg.request, hosts)
    // Who proves himself is a phone, also where a carrier has the same address.
    if (!claim.credentials && !isPhone(claim, leg.flow)) {
      const carrier = trunks.whose(leg.flow, leg.request)
      if (carrier) return fromCarrier(leg, carrier)
    }
    if (!claim.credentials) return challenge(leg, claim.realm)
    return await fromPhone(leg, claim)
  }

  function fromCarrier(
    leg: IncomingLeg,
    { trunk, take, dialled, caller }: NonNullable<ReturnType<Trunks['whose']>>,
  ): Caller | undefined {
    const release = take()
    if (release) return { from: { trunk: trunk.name, caller }, dialled, release }
    leg.refuse(503, [['Reason', 'Q.850;cause=34']])
    return undefined
  }

  /** Before it proves anything: the address it signals from is that of the phone it says it is. */
  function isPhone({ named }: Claim, { remote }: Flow): boolean {
    const known = named && deps.registeredBy(named)?.remote
    return known?.port === remote.port && known.address === remote.address
  }

  async function fromPhone(leg: IncomingLeg, claim: Claim): Promise<Caller | undefined> {
    const found = await lookUp(claim).catch((error: unknown) => {
      log.warn({ err: error }, 'passwords cannot be looked up')
      return 'away' as const
    })
    if (found === 'away') return refuse(leg, 503)
    const { realm, credentials, extension } = claim
    if (!credentials) return undefined
    const verdict = digest.check({ credentials, realm, method: 'INVITE', password: found?.password })
    if (verdict === 'stale') return challenge(leg, realm, true)
    if (verdict === 'wrong' || !extension) {
      guard.failed(leg.flow.remote)
      timers.after(wrongAfterMs, () => challenge(leg, realm))
      return undefined
    }
    guard.good(leg.flow.remote)
    if (!deps.registeredBy(extension)) return refuse(leg, 403)
    return { from: { extension }, dialled: userOf(leg.request.uri), release() {} }
  }

  async function lookUp({ extension }: Claim): Promise<Credentials | undefined> {
    return extension && (await house.credentials(extension))
  }

  function challenge(leg: IncomingLeg, realm: string, stale = false): undefined {
    const asked = digest.challenges(realm, { stale })
    leg.refuse(
      407,
      asked.map((value) => ['Proxy-Authenticate', value] as const),
    )
  }

  function refuse(leg: IncomingLeg, status: number): undefined {
    leg.refuse(status)
  }

  return { find }
}

function userOf(uri: Uri): string {
  if (uri.scheme === 'tel') return uri.number
  return uri.scheme === 'other' ? '' : (uri.user ?? '')
}
