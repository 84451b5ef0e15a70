/** Media of recorded calls, in a process as the service runs it, and the load of browsers and plain phones on it. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { UdpKind } from '../../../src/media/udp/choose-udp.ts'
import { type Ask, askChild } from '../ask.ts'
import { likeTheService, type Place, startNode, stopChild } from '../children.ts'
import { cpuSeconds, stolenSeconds } from '../process-figures.ts'
import type { Quantiles } from '../quantiles.ts'
import { inFolder } from '../service.ts'
import type { BareRelayWork } from './bare-relay-process.ts'
import type { LoadWork } from './load-process.ts'
import type { Kind, MediaWork } from './media-process.ts'

export type Measured = {
  /** In percent of one core for a call. */
  cpu: number
  /** In percent of the packets sent. */
  late: number
  sentLate: number
  /** Cores that the host of this virtual machine gave to others: then all packets are late. */
  stolen: number
  latencies: Quantiles
}
export type MediaBench = {
  media: Ask<MediaWork>
  load: Ask<LoadWork>
  pid: number
  loadPid: number
  bare: BareRelay
}
type Ports = { extension: number; other: number }
/** A baseline that relays packets and does nothing else. */
export type BareRelay = {
  open(ports: Ports[]): Promise<Ports[]>
  closeAll(): Promise<void>
  pid: number
}

/** By then the sockets of calls are connected (D276), as they are for the rest of a call. */
const settledMs = 3_000

/** How many calls of each kind talk at once. */
type Calls = Partial<Record<Kind, number>>
type Talk = { calls: Calls; seconds: number }

export async function talk(bench: MediaBench, { calls, seconds }: Talk): Promise<Measured> {
  const kinds = Object.entries(calls) as [Kind, number][]
  for (const [kind, count] of kinds) await begin(bench, { kind, count, talk: true, perSecond: 200 })
  const count = kinds.reduce((sum, [, ofKind]) => sum + ofKind, 0)
  await sleep(settledMs)
  const measured = await measure(bench, () => sleep(seconds * 1000))
  const recorded = await end(bench)
  const whole = recorded.filter((length) => length >= seconds)
  if (whole.length !== count) throw new Error(`only ${whole.length} of ${count} calls were recorded`)
  return measured
}

/** The same load through the baseline, which records nothing. */
export async function talkBare(
  { load, bare }: Pick<MediaBench, 'load' | 'bare'>,
  { count, seconds }: { count: number; seconds: number },
): Promise<Measured> {
  const calls = await bare.open(await load('prepare', { count }))
  await load('begin', { calls, talk: true, perSecond: 200 })
  await sleep(settledMs)
  const measured = await measure({ load, pid: bare.pid }, () => sleep(seconds * 1000))
  await load('end')
  await bare.closeAll()
  return measured
}

type UnderLoad = Pick<MediaBench, 'load' | 'pid'>

export async function measure({ load, pid }: UnderLoad, during: () => Promise<void>): Promise<Measured> {
  await load('counts')
  const before = { cpu: cpuSeconds(pid), stolen: stolenSeconds(), at: performance.now() }
  await during()
  const used = cpuSeconds(pid) - before.cpu
  const stolen = (stolenSeconds() - before.stolen) / ((performance.now() - before.at) / 1000)
  const { sent, sentLate, received, late, latencies } = await load('counts')
  if (received < sent * 0.9)
    throw new Error(`of ${sent} packets only ${received} came through: the machine is too busy`)
  return {
    // A second of a call is a hundred packets.
    cpu: (used / (received / 100)) * 100,
    late: (late / sent) * 100,
    sentLate: (sentLate / sent) * 100,
    stolen,
    latencies,
  }
}

export async function open({ media, load }: MediaBench, kind: Kind, count: number) {
  const ports = await load('prepare', { count })
  return await media('open', { kind, ports, ...(await load('fingerprint')) })
}

type Begin = { kind: Kind; count: number; talk: boolean; perSecond: number }

export async function begin(bench: MediaBench, { kind, count, talk, perSecond }: Begin) {
  const calls = await open(bench, kind, count)
  await bench.load('begin', { calls, perSecond, talk })
}

export async function end({ media, load }: MediaBench): Promise<number[]> {
  await load('end')
  return await media('closeAll')
}

export function withMedia<T>(sockets: UdpKind, work: (bench: MediaBench) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const measured = await start('./media-process.ts', 'anywhere', [folder, sockets])
    const generator = await start('./load-process.ts', 'anywhere', [])
    const baseline = await start('./bare-relay-process.ts', 'anywhere', [])
    const askBaseline = askChild<BareRelayWork>(baseline)
    try {
      return await work({
        media: askChild<MediaWork>(measured),
        load: askChild<LoadWork>(generator),
        pid: measured.pid ?? 0,
        loadPid: generator.pid ?? 0,
        bare: {
          open: (ports) => askBaseline('open', { ports }),
          closeAll: () => askBaseline('closeAll'),
          pid: baseline.pid ?? 0,
        },
      })
    } finally {
      await stopChild(baseline)
      await stopChild(generator)
      await stopChild(measured)
    }
  })
}

async function start(program: string, place: Place, args: string[]) {
  const child = startNode({
    args: [...likeTheService.flags, fileURLToPath(new URL(program, import.meta.url)), ...args],
    env: likeTheService.env,
    place,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}
