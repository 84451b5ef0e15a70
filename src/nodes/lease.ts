/**
 * The lease of a node: every process renews its row in `voice_nodes` every few seconds. A process that carries calls
 * also stamps them with a proof of life. It hangs up calls that another process ended because the lease had run out: an
 * end is final. A node that cannot renew is fenced before others may end its calls (D225).
 *
 *   active ◀─▶ draining ──▶ stopped
 *
 * D248: the operator's request to drain is a column of the row, read with every renewal. A node that stops drains too,
 * and for good.
 */

import { type Proof, stampCalls } from '../calls/orphans-store.ts'
import type { VoiceEngine } from '../engine/port.ts'
import type { Timer, Timers } from '../kit/timers.ts'
import type { DatabaseClock } from '../store/connection/database-clock.ts'
import { isTransient } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices/notices.ts'
import type { NodeParts, NodeTrunk } from '../store/tables.ts'
import type { FleetView } from './fleet-view.ts'
import { onDrainNotice } from './nodes.ts'
import { graceSeconds, leaseSeconds, type Renewal, renewNode, stopNode, touchNode } from './nodes-store.ts'

export const renewSeconds = 5
/** D225: since the last renewal began. Others end its calls 5 s later. */
export const fenceSeconds = leaseSeconds + graceSeconds - 5
/** A renewal that failed is tried again after so long: a database that is back must not find the node fenced. */
const retryMs = 1_000
/** A call stamped at the last renewal is due again; one that moved since is not. */
const freshSeconds = renewSeconds - 1
/** Calls stamped by one statement: few enough that transactions moving the same calls do not wait long. */
const maxBatch = 200

/** One process of the service, made once when it starts; the id is never used again. */
type Node = {
  id: string
  /** What it does: api, worker, voice. */
  roles: string[]
  /** The name of its machine. */
  host: string
  version: string
  /** Where phones reach it; undefined without the voice role, or before a port chosen by the system is known. */
  address: () => string | undefined
}

type Voice = {
  engine: Pick<VoiceEngine, 'liveCalls' | 'hangUp' | 'phones' | 'trunks' | 'addresses'>
  proofs: () => Proof[]
  takesCalls: () => boolean
  /** Undefined with the embedded database: no other process can outlive this one and end its calls. */
  setFenced: ((isFenced: boolean) => void) | undefined
}

type Deps = {
  /** For the lease and the proof of life alone (D562): neither must wait for the statements of requests and calls. */
  db: Database
  /** Read with every renewal. */
  databaseClock: Pick<DatabaseClock, 'now' | 'startReading' | 'machineOffsetMs'>
  /** Monotonic. */
  timers: Timers
  node: Node
  /** Undefined without the voice role. */
  voice: Voice | undefined
  notices: Pick<Notices, 'listen'>
  fleet: Pick<FleetView, 'onRenewal' | 'others'>
  /** D625: whether the parts that this process uses work, for the status page. */
  parts?: () => NodeParts
}

export function createNodeLease(deps: Deps) {
  const { db, databaseClock, timers, node, voice, notices, fleet, parts = () => ({}) } = deps
  const startedAt = databaseClock.now()
  let state: 'active' | 'draining' = 'active'
  let last: (Renewal & { at: number }) | undefined
  let wake = () => {}
  let onDrainRequest = (_isRequested: boolean) => {}
  onDrainNotice(notices, node.id, () => wake())
  let fence: Timer | undefined
  let retry: Timer | undefined
  let released = false

  /** A second time at once if the first failed: its connection may have been lost, though the database is in reach. */
  async function renewRow() {
    retry?.cancel()
    try {
      await renewOnce().catch((error) => {
        if (released || !isTransient(error)) throw error
        return renewOnce()
      })
    } catch (error) {
      if (!released) retry = timers.after(retryMs, () => wake())
      throw error
    }
  }

  async function renewOnce() {
    const began = timers.now()
    const finishReading = databaseClock.startReading()
    const { id, roles, host, version } = node
    const row = { id, roles, host, version, address: node.address() ?? null, state, startedAt }
    const reported = {
      clockOffsetMs: clockOffsetMs(),
      trunks: trunks(),
      phoneAddresses: phoneAddresses(),
      takesCalls: voice?.takesCalls() ?? true,
      parts: parts(),
    }
    const renewal = await renewNode(db, { ...row, ...load(), ...reported }, leaseSeconds)
    finishReading(renewal.time)
    last = { ...renewal, at: timers.now() }
    fleet.onRenewal(renewal)
    if (released) return
    if (voice?.setFenced) fenceAfter(began, voice.setFenced)
    onDrainRequest(renewal.isDrainRequested)
  }

  const clockOffsetMs = () => toMs(databaseClock.machineOffsetMs())

  const load = () => ({ calls: voice?.engine.liveCalls().length ?? 0, phones: voice?.engine.phones() ?? 0 })

  const phoneAddresses = () => voice?.engine.addresses() ?? {}

  const trunks = (): NodeTrunk[] =>
    (voice?.engine.trunks() ?? []).map(({ name, channels, used, problems }) => ({
      name,
      channels,
      used,
      problems,
    }))

  function fenceAfter(began: number, setFenced: (isFenced: boolean) => void) {
    setFenced(false)
    fence?.cancel()
    fence = timers.after(began + fenceSeconds * 1000 - timers.now(), () => setFenced(true))
  }

  /** Stamps the calls of this node, and hangs up those that others ended. */
  async function proveLife() {
    if (!voice) return
    const { engine } = voice
    const proofs = voice.proofs()
    for (let first = 0; first < proofs.length; first += maxBatch) {
      const given = proofs.slice(first, first + maxBatch)
      const ours = new Set(await stampCalls(db, { node: node.id, freshSeconds, given }))
      for (const { id } of given) if (!ours.has(id)) engine.hangUp(id, 'RECOVERY_ON_TIMER_EXPIRE')
    }
  }

  return {
    renewRow,
    proveLife,
    async renew() {
      await renewRow()
      await proveLife()
    },
    /** From the next renewal on, which is now, other processes see that this one takes no new work. */
    drain() {
      state = 'draining'
      wake()
    },
    /** Registers a function that renews before the time. */
    onWake(callback: () => void) {
      wake = callback
    },
    /** Registers a function that is called with what the operator has requested, at every renewal. */
    onDrainRequest(callback: (isRequested: boolean) => void) {
      onDrainRequest = callback
    },
    /** For the metrics: as `ramal nodes` shows them, and how many nodes there are. */
    figures: (): Record<string, number> => ({
      ...load(),
      draining: state === 'draining' || last?.isDrainRequested ? 1 : 0,
      alive: last && timers.now() - last.at < leaseSeconds * 1000 ? 1 : 0,
      clock_offset_seconds: clockOffsetMs() / 1000,
      others_alive: fleet.others().alive,
    }),
    /** Throws unless the database can be written to. */
    touch: () => touchNode(db, node.id),
    async release() {
      released = true
      fence?.cancel()
      retry?.cancel()
      await stopNode(db, node.id)
    },
  }
}

/** A whole number that fits its column, however wrong a clock is. */
function toMs(offset: number): number {
  return Math.max(-maxOffsetMs, Math.min(maxOffsetMs, Math.round(offset)))
}

const maxOffsetMs = 2 ** 31 - 1
