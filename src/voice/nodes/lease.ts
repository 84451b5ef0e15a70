/**
 * The lease of a node: every process renews its row in `voice_nodes` every few seconds. A process that carries calls
 * also stamps them with a proof of life. It hangs up calls that another process
 * ended because the lease had run out: an end is final.
 *
 *   active ──▶ draining ──▶ stopped
 */
import type { VoiceEngine } from '../../engine/port.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { renewNode, stampCalls, stopNode, touchNode } from './nodes-store.ts'

export const renewSeconds = 5
/** A node that missed four renewals counts as dead. */
export const leaseSeconds = 20
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

type Deps = {
  db: Database
  clock: Clock
  node: Node
  /** Undefined without the voice role. */
  engine: Pick<VoiceEngine, 'liveCalls' | 'hangUp'> | undefined
}

export function createNodeLease({ db, clock, node, engine }: Deps) {
  const startedAt = clock.now()
  let state: 'active' | 'draining' = 'active'

  async function renew() {
    const now = clock.now()
    const leaseUntil = plusSeconds(now, leaseSeconds)
    const { id, roles } = node
    await renewNode(db, { id, roles, address: node.address() ?? null, state, startedAt, leaseUntil })
    if (engine) await proveLife(engine, now)
  }

  async function proveLife({ liveCalls, hangUp }: NonNullable<Deps['engine']>, now: Date) {
    const live = liveCalls()
    const staleSince = plusSeconds(now, -freshSeconds)
    for (let first = 0; first < live.length; first += maxBatch) {
      const ids = live.slice(first, first + maxBatch)
      const ours = new Set(await stampCalls(db, { node: node.id, now, staleSince, ids }))
      for (const id of ids) if (!ours.has(id)) hangUp(id, 'RECOVERY_ON_TIMER_EXPIRE')
    }
  }

  return {
    renew,
    /** From the next renewal on other processes see that this one takes no new work. */
    drain() {
      state = 'draining'
    },
    /** Throws unless the database can be written to. */
    touch: () => touchNode(db, node.id),
    release: () => stopNode(db, node.id, clock.now()),
  }
}
