/** A trunk at work: its addresses, whether they answer, its registration, its room. */
import { inNetworks, isLoopback } from '../../../kit/networks.ts'
import { type Timer, type Timers, withTimeout } from '../../../kit/timers.ts'
import {
  createRegistrationClient,
  type RegistrationClient,
  type RegistrationState,
} from '../../endpoint/signalling/registration-client.ts'
import type { RequestOptions, UserAgent } from '../../sip/dialog/leg.ts'
import { noParams } from '../../sip/syntax/params.ts'
import type { Peer, Target } from '../../sip/transport/flow.ts'
import { sipUri, type Uri } from '../../sip/uri/uri.ts'
import { createCapacity } from './capacity.ts'
import { createQualify, type Qualify } from './qualify.ts'
import type { Resolve } from './resolve.ts'
import type { Trunk } from './trunk.ts'

/** How often a carrier's name is looked up: names move, and seldom. */
const secondsKnown = 300
const secondsUnknown = 15
const registerSeconds = 3600
const longestStart = 5000

type Settings = {
  trunk: Trunk
  userAgent: Pick<UserAgent, 'request'>
  contact(target: Target): Uri
  timers: Timers
  resolve: Resolve
  log: { info(data: object, text: string): void; warn(data: object, text: string): void }
}

export function createLine({ trunk, userAgent, contact, timers, resolve, log }: Settings) {
  const trusted = inNetworks(trunk.trust)
  const capacity = createCapacity({ ...trunk, timers })
  const about = { trunk: trunk.name }
  /** By address and port, in the order of preference. */
  let places = new Map<string, { target: Target; qualify: Qualify }>()
  let registering: { place: string; kept: RegistrationClient } | undefined
  let registration: RegistrationState = { state: 'trying' }
  let timer: Timer | undefined
  let stopped = false

  async function locate() {
    const peers = await resolve(trunk).catch((error: unknown) => {
      log.warn({ ...about, error: String(error) }, 'a carrier could not be looked up')
      return undefined
    })
    if (stopped) return
    // What was known stays while nobody can be asked.
    if (peers) adopt(peers.map(targetAt))
    timer = timers.after(1000 * (places.size > 0 ? secondsKnown : secondsUnknown), () => void locate())
  }

  function targetAt(remote: Peer): Target {
    const { transport, address } = trunk
    // A certificate is for the name, not for where it was found.
    return transport === 'tls' ? { transport, remote, name: address.host } : { transport, remote }
  }

  function adopt(targets: Target[]) {
    const before = places
    places = new Map()
    for (const target of targets) {
      const place = `${target.remote.address} ${target.remote.port}`
      places.set(place, before.get(place) ?? { target, qualify: watch(target) })
    }
    for (const [place, { qualify }] of before) if (!places.has(place)) qualify.stop()
    const [first] = places
    if (trunk.register && first && registering?.place !== first[0]) {
      void registering?.kept.stop()
      registering = { place: first[0], kept: register(first[1].target) }
    }
  }

  const asking = (target: Target): Omit<RequestOptions, 'method'> => {
    const uri = sipUri({ ...trunk.address, user: trunk.login?.username ?? 'ramal', params: noParams })
    const who = { name: undefined, uri, params: noParams }
    return { uri: trunk.address, target, from: who, to: who, ...(trunk.login ? { login: trunk.login } : {}) }
  }

  const watch = (target: Target) =>
    createQualify({
      userAgent,
      timers,
      asking: asking(target),
      everySeconds: trunk.qualifySeconds,
      changed: (up) =>
        up ? log.info(about, 'a carrier answers again') : log.warn(about, 'a carrier does not answer'),
    })

  function register(target: Target): RegistrationClient {
    const ours = contact(target)
    const user = trunk.login?.username
    return createRegistrationClient({
      userAgent,
      timers,
      request: asking(target),
      contact: ours.scheme === 'sip' || ours.scheme === 'sips' ? { ...ours, user } : ours,
      seconds: registerSeconds,
      onChange(state) {
        if (state.state === 'failed') log.warn({ ...about, ...state }, 'registering at a carrier failed')
        if (state.state === 'registered') log.info(about, 'registered at a carrier')
        registration = state
      },
    })
  }

  const isUp = () => [...places.values()].some(({ qualify }) => qualify.up())

  return {
    trunk,
    capacity,
    /** Its place in the round among those of its priority. */
    turn: 0,

    /** A name that takes long to find is found later. */
    start: () => withTimeout(timers, longestStart, locate()),

    targets({ up }: { up: boolean }): Target[] {
      return [...places.values()].filter(({ qualify }) => !up || qualify.up()).map(({ target }) => target)
    },

    /**
     * The carrier's own address is trusted, whatever port it calls from; but one on this machine, where every
     * program has the same address, only by its port.
     */
    isFrom({ address, port }: Peer): boolean {
      if (trusted(address)) return true
      const samePort = isLoopback(address)
      return [...places.values()].some(
        ({ target: { remote } }) => remote.address === address && (!samePort || remote.port === port),
      )
    },

    isAt: (address: string): boolean =>
      trusted(address) || [...places.values()].some(({ target }) => target.remote.address === address),

    problems(): string[] {
      if (places.size === 0) return [`Trunk ${trunk.name}: its address is not known to DNS`]
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
      for (const { qualify } of places.values()) qualify.stop()
      await registering?.kept.stop()
    },
  }
}
export type Line = ReturnType<typeof createLine>
