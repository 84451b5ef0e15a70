/**
 * The lease of a node: every process renews its row in `voice_nodes` every few seconds. A process that carries calls
 * also stamps them with a proof of life. It hangs up calls that another process ended because the lease had run out: an
 * end is final. A node that cannot renew is fenced before others may end its calls (D225).
 *
 *   active ──▶ draining ──▶ stopped
 */
import type { VoiceEngine } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Timer, Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import type { CallTimes } from '../call-times.ts'
import { renewNode, stampCalls, stopNode, touchNode } from './nodes-store.ts'

export const renewSeconds = 5
/** A node that missed four renewals counts as dead. */
export const leaseSeconds = 20
/** D225: since the last renewal began. The rest of the lease is for hanging up. */
export const fenceSeconds = 15
/** A call stamped at the last renewal is due again; one that moved since is not. */
const freshSeconds = renewSeconds - 1
/** Calls stamped by one statement: few enough that transactions moving the same calls do not wait long. */
const maxBatch = 200

/** One process of the service, made once when it starts; the id is never used again. */
type Node = {
  id: string
  /** What it does: api, worker, voice. */
  roles: string[]
  /** Where phones reach it; undefined without the voice role, or before a port chosen by the system is known. */
  address: () => string | undefined
}

type Voice = {
  engine: Pick<VoiceEngine, 'liveCalls' | 'hangUp'>
  times: Pick<CallTimes, 'now'>
  /** Undefined if no process can judge this one that does not depend on it: with the embedded database. */
  setFenced: ((isFenced: boolean) => void) | undefined
}

type Deps = {
  /** For the lease. Apart from that of calls: a renewal must not wait for statements on calls. */
  db: Database
  callsDb: Database
  clock: Clock
  /** Monotonic. */
  timers: Timers
  node: Node
  /** Undefined without the voice role. */
  voice: Voice | undefined
}

export function createNodeLease({ db, callsDb, clock, timers, node, voice }: Deps) {
  const startedAt = clock.now()
  let state: 'active' | 'draining' = 'active'
  let fence: Timer | undefined
  let released = false

  async function renewRow() {
    const began = timers.now()
    const { id, roles } = node
    await renewNode(db, { id, roles, address: node.address() ?? null, state, startedAt }, leaseSeconds)
    if (voice?.setFenced && !released) fenceAfter(began, voice.setFenced)
  }

  function fenceAfter(began: number, setFenced: (isFenced: boolean) => void) {
    setFenced(false)
    fence?.cancel()
    fence = timers.after(began + fenceSeconds * 1000 - timers.now(), () => setFenced(true))
  }

  /** Stamps the live calls, and hangs up those that others ended. */
  async function proveLife() {
    if (!voice) return
    const { engine, times } = voice
    const live = engine.liveCalls()
    for (let first = 0; first < live.length; first += maxBatch) {
      const given = live.slice(first, first + maxBatch).map((id) => ({ id, at: times.now(id) }))
      const ours = new Set(await stampCalls(callsDb, { node: node.id, freshSeconds, given }))
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
    /** From the next renewal on other processes see that this one takes no new work. */
    drain() {
      state = 'draining'
    },
    /** Throws unless the database can be written to. */
    touch: () => touchNode(db, node.id),
    async release() {
      released = true
      fence?.cancel()
      await stopNode(db, node.id)
    },
  }
}
