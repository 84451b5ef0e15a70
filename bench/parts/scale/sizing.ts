/** Machines, network and disk for a number of calls at once. */
import type { Costs } from './costs.ts'

export type Load = {
  callsAtOnce: number
  /** From placing to the end, in seconds. */
  length: number
  /** Share of the calls whose phone is a browser. */
  browsers: number
  /** Registered phones for each call at once; each registers again every `registerEvery` seconds. */
  phonesPerCall: number
  registerEvery: number
  /** Webhooks and other requests of the integrator, for each call. */
  deliveriesPerCall: number
  requestsPerCall: number
  /** Busy hours a day, at that many calls. */
  busyHours: number
}

export const usualLoad: Omit<Load, 'callsAtOnce'> = {
  length: 180,
  browsers: 0.25,
  phonesPerCall: 5,
  registerEvery: 300,
  deliveriesPerCall: 2,
  requestsPerCall: 5,
  busyHours: 8,
}

/** Half of the cores is left for peaks and for a machine that fails. */
const usedShare = 0.5
export const coresPerMachine = 8
/** The pools of a process at their defaults: docs/deploying.md. */
export const connectionsOfProcess = 27

/** Bytes of a packet of PCMA on Ethernet: 160 of sound, headers of RTP, UDP, IPv4 and Ethernet with its check. */
const packetBytes = 160 + 12 + 8 + 20 + 18
const packetsPerSecond = 50
/** docs/operating.md, "Room". */
export const bytes = { recordedSecond: 32_000, compactSecond: 3_000, callForGood: 2_816, wal: 5_800 }

export function sizeOf(load: Load, costs: Costs) {
  const { callsAtOnce, length, browsers } = load
  const callsPerSecond = callsAtOnce / length
  const callsPerDay = callsPerSecond * load.busyHours * 3600
  const deliveries = callsPerSecond * load.deliveriesPerCall
  const registrations = (callsAtOnce * load.phonesPerCall) / load.registerEvery
  const sound = costs.sound.plain * (1 - browsers) + costs.sound.browser * browsers
  const cores = {
    voice: callsAtOnce * sound + callsPerSecond * costs.setUp + registrations * costs.registration,
    // All of a stored call: part of it is the work of the voice node, which was not measured apart.
    api: callsPerSecond * (costs.call.service + load.requestsPerCall * costs.request),
    worker: deliveries * costs.delivery.service,
    database: callsPerSecond * costs.call.database + deliveries * costs.delivery.database,
  }
  // Two legs, each in both directions.
  const networkBits = callsAtOnce * 2 * packetBytes * packetsPerSecond * 8
  return {
    callsPerSecond,
    callsPerDay,
    deliveries,
    registrations,
    cores,
    voiceMachines: machines(cores.voice),
    otherMachines: machines(cores.api + cores.worker),
    databaseCores: cores.database / usedShare,
    connections: (machines(cores.voice) + machines(cores.api + cores.worker)) * connectionsOfProcess,
    networkBits,
    recordingsPerDay: callsAtOnce * load.busyHours * 3600 * bytes.recordedSecond,
    compactPerDay: callsAtOnce * load.busyHours * 3600 * bytes.compactSecond,
    databasePerDay: callsPerDay * bytes.callForGood,
    walPerSecond: callsPerSecond * bytes.wal,
  }
}
export type Sizing = ReturnType<typeof sizeOf>

/** One more than the load needs: any of them may fail. */
function machines(cores: number): number {
  return Math.ceil(cores / usedShare / coresPerMachine) + 1
}
