/**
 * D118. The ways to the carriers: which one a call takes, whether it has room, how the number is written there, and which
 * carrier a call from outside came from.
 */
import type { Timers } from '../../../kit/timers.ts'
import type { Party } from '../../port.ts'
import type { UserAgent } from '../../sip/dialog/leg.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import type { Flow, Target } from '../../sip/transport/flow.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import { type Arriving, readArriving } from './arriving.ts'
import { type Dialling, dialling } from './dialling.ts'
import { createLine, type Line } from './line.ts'
import type { Resolve } from './resolve.ts'
import type { Trunk } from './trunk.ts'

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
  dialling(number: string, presented: Party | undefined): Dialling
}

export type TrunkInvite = Arriving & { trunk: Trunk; take(): (() => void) | undefined }

export function createTrunks({ trunks, ...deps }: Settings) {
  const lines = trunks.map((trunk) => createLine({ trunk, ...deps }))

  return {
    /** Finds the carriers' addresses, then asks after them and registers. A carrier that is not found is looked for again. */
    async start() {
      await Promise.all(lines.map((line) => line.start()))
    },

    /** In the order to be tried. Carriers that do not answer are left out, unless none does. */
    choose(number: string): Candidate[] {
      const serving = inOrder(lines.filter(({ trunk }) => serves(trunk, number)))
      const reachable = serving.flatMap((line) =>
        line.targets({ up: true }).map((target) => toCandidate(line, target)),
      )
      if (reachable.length > 0) return reachable
      return serving.flatMap((line) => line.targets({ up: false }).map((target) => toCandidate(line, target)))
    },

    /** By the address it came from. Of several trunks at one address, the one whose username the request names. */
    identify(flow: Flow, request: SipRequest): TrunkInvite | undefined {
      const from = lines.filter((line) => line.isFrom(flow.remote))
      const line = from.find(({ trunk }) => isFor(trunk, request)) ?? from[0]
      return (
        line && { ...readArriving(line.trunk, request), trunk: line.trunk, take: line.capacity.takeInbound }
      )
    },

    /** Whether an address is a carrier's: such are never shut out. */
    isCarrier: (address: string) => lines.some((line) => line.isAt(address)),

    /** While one carrier is there, calls go out. */
    problems(): string[] {
      const all = lines.map((line) => line.problems())
      return all.some((problems) => problems.length === 0) ? [] : all.flat()
    },

    figures: () => ({
      trunks: lines.length,
      trunks_up: lines.filter((line) => line.problems().length === 0).length,
      trunk_channels_used: lines.reduce((sum, { capacity }) => sum + capacity.used(), 0),
      trunk_channels_refused_total: lines.reduce((sum, { capacity }) => sum + capacity.refused(), 0),
    }),

    async stop() {
      await Promise.all(lines.map((line) => line.stop()))
    },
  }
}
export type Trunks = ReturnType<typeof createTrunks>

function serves({ prefixes }: Trunk, number: string): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => number.startsWith(prefix))
}

/** By priority; within one everybody's turn comes as often as its weight says (smooth weighted round robin). */
function inOrder(lines: Line[]): Line[] {
  const sorted = lines.toSorted((a, b) => a.trunk.priority - b.trunk.priority)
  const groups = Map.groupBy(sorted, ({ trunk }) => trunk.priority)
  return [...groups.values()].flatMap((group) => {
    for (const line of group) line.turn += line.trunk.weight
    const ordered = group.toSorted((a, b) => b.turn - a.turn)
    const [first] = ordered
    if (first) first.turn -= group.reduce((sum, { trunk }) => sum + trunk.weight, 0)
    return ordered
  })
}

function toCandidate({ trunk, capacity }: Line, target: Target): Candidate {
  return {
    trunk,
    target,
    take: capacity.take,
    dialling: (number, presented) => dialling(trunk, number, presented),
  }
}

function isFor({ login }: Trunk, { uri }: SipRequest): boolean {
  return login !== undefined && uri.scheme !== 'tel' && uri.scheme !== 'other' && uri.user === login.username
}
