/**
 * Stores the SIP messages of calls that are over (D660). The engine only adds to a list in memory; `tick` compresses the list
 * and writes it in statements of many rows. The list is bounded: what does not fit, because the database is away or too many
 * calls end at once, is dropped and counted.
 */
import type { SipTrace } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { packTrace } from './packed-trace.ts'
import { insertTraces } from './sip-traces-store.ts'

export const writeTracesMs = 1_000

const defaultBounds = { waitingBytes: 64 * 1024 * 1024, perStatement: 50 }

type Waiting = { trace: SipTrace; storedAt: Date; bytes: number }

type Deps = { db: Database; clock: Clock; node: string; bounds?: typeof defaultBounds }

export function createTraceWriter({ db, clock, node, bounds = defaultBounds }: Deps) {
  let waiting: Waiting[] = []
  let waitingBytes = 0
  const totals = { stored: 0, dropped: 0 }

  function add(trace: SipTrace) {
    if (trace.messages.length === 0) return
    // The moment is part of the key: a trace that is written again, since the answer was lost, is stored once.
    keep({ trace, storedAt: clock.now(), bytes: sizeOf(trace) })
  }

  function keep(one: Waiting) {
    if (waitingBytes + one.bytes > bounds.waitingBytes) {
      totals.dropped += 1
      return
    }
    waiting.push(one)
    waitingBytes += one.bytes
  }

  /** Writes what waits. What cannot be written waits for the next tick, as far as it fits. */
  async function tick() {
    const taken = waiting
    waiting = []
    waitingBytes = 0
    for (let first = 0; first < taken.length; first += bounds.perStatement) {
      try {
        await write(taken.slice(first, first + bounds.perStatement))
      } catch (error) {
        const later = waiting
        waiting = []
        waitingBytes = 0
        for (const one of [...taken.slice(first), ...later]) keep(one)
        throw error
      }
    }
  }

  async function write(taken: Waiting[]) {
    const packed = taken.map(async ({ trace, storedAt }) => ({
      callId: trace.callId,
      node,
      storedAt,
      messages: await packTrace(trace),
    }))
    await insertTraces(db, await Promise.all(packed))
    totals.stored += taken.length
  }

  return {
    add,
    tick,
    metrics: () => ({
      sip_traces_waiting: waiting.length,
      sip_traces_stored_total: totals.stored,
      sip_traces_dropped_total: totals.dropped,
    }),
  }
}

const sizeOf = ({ messages }: SipTrace) => messages.reduce((sum, { text }) => sum + text.length, 0)
