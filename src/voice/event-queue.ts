/**
 * Stores the events of the engine, those of one call in order, those of many calls in one batch: events that arrive while
 * a statement runs go with the next one. While the database is away they wait in memory; a call has a handful at most.
 */

import type { CallAnnouncer } from '../calls/announcer.ts'
import { isNewer } from '../calls/call.ts'
import { type PaidCredit, storeEvents } from '../calls/events/store-events.ts'
import type { CallEvent } from '../engine/port.ts'
import type { Log } from '../kit/process/log.ts'
import type { Timer, Timers } from '../kit/timers.ts'
import { createBatchStore } from '../store/batch-store.ts'
import { isInvalidData } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'

/** As many as there are connections for them (D565). */
const maxStatements = 2
/** Another statement starts beside the running ones once this many calls wait for each of them. */
const callsPerStatement = 32
const maxCallsInBatch = 500
/** With more, the database is behind. */
const maxWaitingCalls = 500
const retryMs = 500

type Deps = {
  db: Database
  timers: Timers
  log: Log
  announcer: CallAnnouncer
  credit: PaidCredit
  onStored: (event: CallEvent) => void
}

export function createEventQueue({ db, timers, log, announcer, credit, onStored }: Deps) {
  const storeBatch = createBatchStore<CallEvent, void>({
    store: (events) => storeEvents(db, events, { announcer, credit }),
    keyOf: ({ callId }) => callId,
    // D220: events are kept, whatever the error, unless their own data are at fault.
    isRetried: (error) => !isInvalidData(error),
    // The event is dropped; its call is ended as an orphan (orphans.ts).
    onRejected: ({ callId, type }, error) =>
      log.error({ err: error, call: callId, event: type }, 'call event not stored'),
  })
  /** By call, in order. */
  const queued = new Map<string, CallEvent[]>()
  /** Calls with events in a running statement: their next events must wait for it. */
  const storing = new Set<string>()
  /** When the calls ended whose end is not stored yet. */
  const ends = new Map<string, Date>()
  const onDrained: (() => void)[] = []
  let running = 0
  let scheduled = false
  let retry: Timer | undefined
  let stopped = false

  function add(event: CallEvent) {
    const events = queued.get(event.callId) ?? []
    if (!isNewer(event, events)) return
    events.push(event)
    queued.set(event.callId, events)
    if (event.type === 'ended') ends.set(event.callId, event.at)
    schedule()
  }

  /** In the next turn of the event loop, so that events of the same moment share a batch. */
  function schedule() {
    if (scheduled || retry || stopped) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (!retry && running < maxStatements && queued.size > running * callsPerStatement) {
        const batch = takeBatch()
        if (batch.length === 0) return
        running += 1
        void store(batch).finally(onStatementDone)
      }
    })
  }

  function takeBatch(): CallEvent[] {
    const batch: CallEvent[] = []
    let calls = 0
    for (const [callId, events] of queued) {
      if (storing.has(callId)) continue
      storing.add(callId)
      queued.delete(callId)
      batch.push(...events)
      calls += 1
      if (calls === maxCallsInBatch) break
    }
    return batch
  }

  async function store(batch: CallEvent[]) {
    const { retry: unstored, error } = await storeBatch(batch)
    putBack(unstored)
    for (const { callId } of batch) storing.delete(callId)
    const skipped = new Set(unstored)
    const stored = batch.filter((event) => !skipped.has(event))
    for (const event of stored) {
      if (event.type === 'ended') ends.delete(event.callId)
      onStored(event)
    }
    announcer.changed(stored.flatMap(changedBy))
    if (unstored.length === 0) return
    log.warn({ err: error, events: unstored.length }, 'call events wait for the database')
    if (stopped) return
    retry ??= timers.after(retryMs, () => {
      retry = undefined
      schedule()
    })
  }

  /** Before the events of the same calls that arrived since. */
  function putBack(batch: CallEvent[]) {
    const newer = new Map<string, CallEvent[]>()
    for (const event of batch) {
      const { callId } = event
      if (storing.delete(callId)) {
        newer.set(callId, queued.get(callId) ?? [])
        queued.set(callId, [])
      }
      queued.get(callId)?.push(event)
    }
    for (const events of newer.values()) for (const event of events) add(event)
  }

  function onStatementDone() {
    running -= 1
    if (queued.size > 0) schedule()
    else if (running === 0) for (const resolve of onDrained.splice(0)) resolve()
  }

  /** Waits until every event is stored, for `ms` at the most; the calls of the others end as orphans. */
  async function drained(ms: number) {
    if (queued.size === 0 && running === 0) return
    await new Promise<void>((resolve) => {
      const timeout = timers.after(ms, () => {
        stopped = true
        retry?.cancel()
        log.error({ calls: queued.size }, 'stopped with call events that could not be stored')
        resolve()
      })
      onDrained.push(() => {
        timeout.cancel()
        resolve()
      })
    })
  }

  /** How many calls have events that are not stored yet. */
  const waiting = () => queued.size + storing.size

  return {
    add,
    drained,
    waiting,
    unstoredEnds: () => [...ends].map(([id, at]) => ({ id, at })),
    /** Calls are placed faster than their events are stored: then requests wait for theirs, which slows clients down. */
    isBehind: () => waiting() > maxWaitingCalls,
    isRetrying: () => retry !== undefined,
  }
}

/** D641: of a transfer also the second call, which names the first from now on. */
function changedBy(event: CallEvent): string[] {
  return event.type === 'transferred' ? [event.callId, event.to] : [event.callId]
}
