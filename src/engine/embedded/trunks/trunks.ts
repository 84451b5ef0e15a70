/**
 * D118: the trunks, which may change at any time (D624). Which one a call takes, whether it has capacity, how the number is written there, and which carrier
 * an incoming call came from.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Timers } from '../../../kit/timers.ts'
import type { SipRequest } from '../../../sip/message/message.ts'
import type { Flow, Target } from '../../../sip/transport/flow.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import type { Party, TrunkResponse, TrunkShare } from '../../port.ts'
import type { Capacity } from './capacity.ts'
import { type InboundInvite, readInboundInvite } from './inbound-invite.ts'
import { type OutboundInvite, outboundInvite } from './outbound-invite.ts'
import type { Resolve } from './resolve.ts'
import type { Trunk } from './trunk.ts'
import { createTrunkConnection, type TrunkConnection } from './trunk-connection.ts'
import { createTrunkTest } from './trunk-test.ts'

type Settings = {
  trunks: readonly Trunk[]
  userAgent: Pick<UserAgent, 'request'>
  /** Our Contact towards a peer, for trunks at which we register. */
  contact(target: Target): Uri
  timers: Timers
  resolve: Resolve
  log: { info(data: object, text: string): void; warn(data: object, text: string): void }
}

/** One address of one trunk. */
export type Candidate = {
  trunk: Trunk
  target: Target
  /** A channel, for as long as the call lasts; undefined when there is none. What it returns gives the channel back. */
  take(): (() => void) | undefined
  invite(number: string, presented: Party | undefined, isPrivate?: boolean): OutboundInvite
}

export type TrunkInvite = InboundInvite & { trunk: Trunk; take(): (() => void) | undefined }

export function createTrunks({ trunks, userAgent, contact, timers, resolve, log }: Settings) {
  let connections = trunks.map((trunk) => connect(trunk))
  /** Trunks that were taken out while they had calls, which go on. */
  let retired: TrunkConnection[] = []
  let refusedByRetired = 0
  let isSharing = false
  const test = createTrunkTest({ userAgent, timers, resolve })

  function connect(trunk: Trunk, kept?: Capacity) {
    return createTrunkConnection({ trunk, userAgent, contact, timers, resolve, log, kept })
  }

  /** One that was changed registers once the registration before it is removed: at the same carrier both would be one. */
  async function startAfter(connection: TrunkConnection, stops: ReadonlyMap<string, Promise<void>>) {
    await stops.get(connection.trunk.name)
    await connection.start()
  }

  const capacities = () => new Set([...connections, ...retired].map(({ capacity }) => capacity))

  return {
    /** Resolves the carriers' addresses, checks whether they respond, and registers. Failed lookups are retried. */
    async start() {
      await Promise.all(connections.map((connection) => connection.start()))
    },

    /** D624: those whose settings are the same are kept as they are. D668: one that was changed counts the calls it has. */
    async set(wanted: readonly Trunk[]) {
      const before = connections
      const countedBefore = capacities()
      const same = (trunk: Trunk) => before.find((one) => isDeepStrictEqual(one.trunk, trunk))
      const kept = ({ name }: Trunk) =>
        [...before, ...retired].find(({ trunk }) => trunk.name === name)?.capacity
      connections = wanted.map((trunk) => same(trunk) ?? connect(trunk, kept(trunk)))
      const gone = before.filter((one) => !connections.includes(one))
      const added = connections.filter((one) => !before.includes(one))
      retired = [...retired, ...gone].filter(({ capacity }) => capacity.used() > 0)
      const counted = capacities()
      for (const capacity of countedBefore) {
        if (!counted.has(capacity)) refusedByRetired += capacity.refused()
      }
      // One that comes while nodes share trunks has no share yet: the next agreement gives it one.
      const isNew = ({ capacity }: TrunkConnection) => !countedBefore.has(capacity)
      if (isSharing) for (const { capacity } of added.filter(isNew)) capacity.limit(noShare)
      const stops = new Map(gone.map((one) => [one.trunk.name, one.stop()]))
      await Promise.all([...stops.values(), ...added.map((one) => startAfter(one, stops))])
    },

    test: (trunk: Trunk): Promise<TrunkResponse[]> => test(trunk),

    codecs: () => [...new Set(connections.flatMap(({ trunk }) => trunk.codecs))],

    /** In the order to try them. Carriers that do not respond are left out, unless none does. */
    choose(number: string): Candidate[] {
      const serving = inOrder(connections.filter(({ trunk }) => serves(trunk, number)))
      const reachable = serving.flatMap((connection) =>
        connection.targets({ up: true }).map((target) => toCandidate(connection, target)),
      )
      if (reachable.length > 0) return reachable
      return serving.flatMap((connection) =>
        connection.targets({ up: false }).map((target) => toCandidate(connection, target)),
      )
    },

    /** By the address it came from. Of several trunks at one address, the one whose username the request names. */
    identify(flow: Flow, request: SipRequest): TrunkInvite | undefined {
      const from = connections.filter((connection) => connection.isFrom(flow.remote))
      const connection = from.find(({ trunk }) => isFor(trunk, request)) ?? from[0]
      return (
        connection && {
          ...readInboundInvite(connection.trunk, request),
          trunk: connection.trunk,
          take: connection.capacity.takeInbound,
        }
      )
    },

    /** Whether an address belongs to a carrier, also to one that only has calls to end. The guard never blocks those. */
    isCarrier: (address: string) =>
      connections.some((connection) => connection.isAt(address)) ||
      retired.some((connection) => connection.capacity.used() > 0 && connection.isAt(address)),

    loads: () =>
      connections.map(({ trunk: { name, channels, callsPerSecond }, capacity, problems }) => ({
        name,
        channels,
        callsPerSecond,
        used: capacity.used(),
        begun: capacity.begun(),
        problems: problems(),
      })),

    limit(agreed: ReadonlyMap<string, TrunkShare> | undefined) {
      isSharing = agreed !== undefined
      for (const { trunk, capacity } of connections) capacity.limit(agreed?.get(trunk.name))
    },

    /** None while one trunk works: calls go out by that one. */
    problems(): string[] {
      const all = connections.map((connection) => connection.problems())
      return all.some((problems) => problems.length === 0) ? [] : all.flat()
    },

    metrics: () => ({
      trunks: connections.length,
      trunks_up: connections.filter((connection) => connection.problems().length === 0).length,
      trunk_channels_used: sum(capacities(), (capacity) => capacity.used()),
      trunk_channels_refused_total: refusedByRetired + sum(capacities(), (capacity) => capacity.refused()),
    }),

    async stop() {
      await Promise.all(connections.map((connection) => connection.stop()))
    },
  }
}
export type Trunks = ReturnType<typeof createTrunks>

const sum = (capacities: Set<Capacity>, countOf: (capacity: Capacity) => number) =>
  [...capacities].reduce((total, capacity) => total + countOf(capacity), 0)

const noShare: TrunkShare = { channels: 0, callsPerSecond: 0 }

/** D272: a short number is that of a service, which only trunks that list it take. */
function serves({ prefixes, services }: Trunk, number: string): boolean {
  if (number.length <= 5) return services.includes(number)
  return prefixes.length === 0 || prefixes.some((prefix) => number.startsWith(prefix))
}

/** By priority, and within one by smooth weighted round robin. */
function inOrder(connections: TrunkConnection[]): TrunkConnection[] {
  const sorted = connections.toSorted((a, b) => a.trunk.priority - b.trunk.priority)
  const groups = Map.groupBy(sorted, ({ trunk }) => trunk.priority)
  return [...groups.values()].flatMap((group) => {
    for (const connection of group) connection.turn += connection.trunk.weight
    const ordered = group.toSorted((a, b) => b.turn - a.turn)
    const [first] = ordered
    if (first) first.turn -= group.reduce((sum, { trunk }) => sum + trunk.weight, 0)
    return ordered
  })
}

function toCandidate({ trunk, capacity }: TrunkConnection, target: Target): Candidate {
  return {
    trunk,
    target,
    take: capacity.take,
    invite: (number, presented, isPrivate) => outboundInvite(trunk, number, presented, isPrivate),
  }
}

function isFor({ login }: Trunk, { uri }: SipRequest): boolean {
  return login !== undefined && uri.scheme !== 'tel' && uri.scheme !== 'other' && uri.user === login.username
}
