/** A trunk in operation: the carrier's addresses, whether they respond, our registration there, its capacity. */
import { inNetworks, isLoopback } from '../../../kit/networks.ts'
import { type Timer, type Timers, withTimeout } from '../../../kit/timers.ts'
import type { Peer, Target } from '../../../sip/transport/flow.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import {
  createRegistrationClient,
  type RegistrationClient,
  type RegistrationState,
} from '../../endpoint/signalling/registration-client.ts'
import { type Capacity, createCapacity } from './capacity.ts'
import { requestTo, targetAt } from './carrier-request.ts'
import { createQualify, type Qualify } from './qualify.ts'
import type { Resolve } from './resolve.ts'
import type { Trunk } from './trunk.ts'

/** How often a carrier's name is resolved: once its address is known, and while it is not. */
const resolvedEverySeconds = 300
const unresolvedEverySeconds = 15
const registerSeconds = 3600
/** A start does not wait longer for the first resolution. */
const maxStartMs = 5_000

type Settings = {
  trunk: Trunk
  userAgent: Pick<UserAgent, 'request'>
  contact(target: Target): Uri
  timers: Timers
  resolve: Resolve
  log: { info(data: object, text: string): void; warn(data: object, text: string): void }
  /** Capacity of the same trunk with its former settings, whose calls go on. */
  kept?: Capacity | undefined
}

export function createTrunkConnection({ trunk, userAgent, contact, timers, resolve, log, kept }: Settings) {
  const trusted = inNetworks(trunk.trust)
  const { channels, callsPerSecond } = trunk
  const capacity = kept ?? createCapacity({ channels, callsPerSecond, timers })
  kept?.resize({ channels, callsPerSecond })
  const about = { trunk: trunk.name }
  /** By address and port, in the order of preference. */
  let peers = new Map<string, { target: Target; qualify: Qualify }>()
  let registering: { key: string; client: RegistrationClient } | undefined
  let registration: RegistrationState = { state: 'trying' }
  let timer: Timer | undefined
  let stopped = false

  async function locate() {
    const addresses = await resolve(trunk).catch((error: unknown) => {
      log.warn({ ...about, error: String(error) }, 'the address of a carrier could not be resolved')
      return undefined
    })
    if (stopped) return
    // While the lookup fails, the last known addresses are used.
    if (addresses) setTargets(addresses.map((remote) => targetAt(trunk, remote)))
    timer = timers.after(
      1000 * (peers.size > 0 ? resolvedEverySeconds : unresolvedEverySeconds),
      () => void locate(),
    )
  }

  function setTargets(targets: Target[]) {
    const before = peers
    peers = new Map()
    for (const target of targets) {
      const key = `${target.remote.address} ${target.remote.port}`
      peers.set(key, before.get(key) ?? { target, qualify: watch(target) })
    }
    for (const [key, { qualify }] of before) if (!peers.has(key)) qualify.stop()
    const [first] = peers
    if (trunk.register && first && registering?.key !== first[0]) {
      void registering?.client.stop()
      registering = { key: first[0], client: register(first[1].target) }
    }
  }

  const watch = (target: Target) =>
    createQualify({
      userAgent,
      timers,
      asking: requestTo(trunk, target),
      everySeconds: trunk.qualifySeconds,
      onChanged: (up) =>
        up ? log.info(about, 'a carrier answers again') : log.warn(about, 'a carrier does not answer'),
    })

  function register(target: Target): RegistrationClient {
    const ours = contact(target)
    const user = trunk.login?.username
    return createRegistrationClient({
      userAgent,
      timers,
      request: requestTo(trunk, target),
      contact: ours.scheme === 'sip' || ours.scheme === 'sips' ? { ...ours, user } : ours,
      seconds: registerSeconds,
      onChange(state) {
        if (state.state === 'failed') log.warn({ ...about, ...state }, 'registering at a carrier failed')
        if (state.state === 'registered') log.info(about, 'registered at a carrier')
        registration = state
      },
    })
  }

  const isUp = () => [...peers.values()].some(({ qualify }) => qualify.up())

  return {
    trunk,
    capacity,
    /** Its current weight in the smooth weighted round robin of its priority. */
    turn: 0,

    /** Resolves also if the name is not resolved in time; that goes on in the background. */
    start: () => withTimeout(timers, maxStartMs, locate()),

    targets({ up }: { up: boolean }): Target[] {
      return [...peers.values()].filter(({ qualify }) => !up || qualify.up()).map(({ target }) => target)
    },

    /**
     * The carrier's own address is trusted, whatever port it calls from; but one on this machine, where every
     * program has the same address, only by its port.
     */
    isFrom({ address, port }: Peer): boolean {
      if (trusted(address)) return true
      const samePort = isLoopback(address)
      return [...peers.values()].some(
        ({ target: { remote } }) => remote.address === address && (!samePort || remote.port === port),
      )
    },

    isAt: (address: string): boolean =>
      trusted(address) || [...peers.values()].some(({ target }) => target.remote.address === address),

    problems(): string[] {
      if (peers.size === 0) return [`Trunk ${trunk.name}: its address is not known to DNS`]
      if (!isUp()) return [`Trunk ${trunk.name} does not answer OPTIONS`]
      if (trunk.register && registration.state === 'failed') {
        const { status, reason } = registration
        return [
          `Trunk ${trunk.name} refuses to register us: ${status === undefined ? '' : `${status} `}${reason}`,
        ]
      }
      return []
    },

    async stop() {
      stopped = true
      timer?.cancel()
      for (const { qualify } of peers.values()) qualify.stop()
      await registering?.client.stop()
    },
  }
}
export type TrunkConnection = ReturnType<typeof createTrunkConnection>
