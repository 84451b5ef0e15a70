/**
 * What the engine tells is stored, in the order of each call, many calls at once: what comes while a statement is
 * under way goes with the next one. While the database is away events wait here; each call has a handful at most.
 */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallEvent } from '../engine/port.ts'
import type { Log } from '../kit/log.ts'
import type { Timer, Timers } from '../kit/timers.ts'
import { createBatchStore } from '../store/batch-store.ts'
import type { Database } from '../store/database.ts'
import type { CallAnnouncer } from './announcer.ts'
import { tellsMore } from './call.ts'
import { storeEvents } from './transitions-store.ts'

const mostAtOnce = 4
/** So many calls wait before another statement begins beside the one under way. */
const crowd = 32
const mostCallsTogether = 500
const retryMs = 500

type Deps = {
  db: Database
  timers: Timers
  log: Log
  announcer: CallAnnouncer
  credit: Pick<Credit, 'settle'>
  /** Told of every event once it is stored. */
  onStored: (event: CallEvent) => void
}

export function createEventQueue({ db, timers, log, announcer, credit, onStored }: Deps) {
  const storeBatch = createBatchStore<CallEvent, void>({
    store: (events) => storeEvents(db, events, { announcer, credit }),
    keyOf: ({ callId }) => callId,
    // The event is dropped; its call is ended as lost (orphans.ts).
    onRejected: ({ callId, type }, error) =>
      log.error({ err: error, call: callId, event: type }, 'call event not stored'),
  })
  const waiting = new Map<string, CallEvent[]>()
  /** Calls of which events are being stored: the next ones of theirs must wait. */
  const busy = new Set<string>()
  const idle: (() => void)[] = []
  let underWay = 0
  let planned = false
  let retry: Timer | undefined
  let stopped = false

  function add(event: CallEvent) {
    const queue = waiting.get(event.callId) ?? []
    if (!tellsMore(event, queue)) return
    queue.push(event)
    waiting.set(event.callId, queue)
    plan()
  }

  /** A moment later, so that what happens together is stored together. */
  function plan() {
    if (planned || retry || stopped) return
    planned = true
    setImmediate(() => {
      planned = false
      while (!retry && underWay < mostAtOnce && waiting.size > underWay * crowd) {
        const batch = take()
        if (batch.length === 0) return
        underWay += 1
        void store(batch).finally(settle)
      }
    })
  }

  function take(): CallEvent[] {
    const batch: CallEvent[] = []
    let calls = 0
    for (const [callId, events] of waiting) {
      if (busy.has(callId)) continue
      busy.add(callId)
      waiting.delete(callId)
      batch.push(...events)
      calls += 1
      if (calls === mostCallsTogether) break
    }
    return batch
  }

  async function store(batch: CallEvent[]) {
    const { retry: unstored, error } = await storeBatch(batch)
    putBack(unstored)
    for (const { callId } of batch) busy.delete(callId)
    const skipped = new Set(unstored)
    for (const event of batch) if (!skipped.has(event)) onStored(event)
    if (unstored.length === 0) return
    log.warn({ err: error, events: unstored.length }, 'call events wait for the database')
    if (stopped) return
    retry ??= timers.after(retryMs, () => {
      retry = undefined
      plan()
    })
  }

  function putBack(batch: CallEvent[]) {
    const newer = new Map<string, CallEvent[]>()
    for (const event of batch) {
      const { callId } = event
      if (busy.delete(callId)) {
        newer.set(callId, waiting.get(callId) ?? [])
        waiting.set(callId, [])
      }
      waiting.get(callId)?.push(event)
    }
    for (const events of newer.values()) for (const event of events) add(event)
  }

  function settle() {
    underWay -= 1
    if (waiting.size > 0) plan()
    else if (underWay === 0) for (const done of idle.splice(0)) done()
  }

  /** Everything heard is stored, or `ms` have passed: then the calls are for others to end. */
  async function drained(ms: number) {
    if (waiting.size === 0 && underWay === 0) return
    await new Promise<void>((resolve) => {
      const late = timers.after(ms, () => {
        stopped = true
        retry?.cancel()
        log.error({ calls: waiting.size }, 'stopped with call events that could not be stored')
        resolve()
      })
      idle.push(() => {
        late.cancel()
        resolve()
      })
    })
  }

  return { add, drained, waiting: () => waiting.size }
}
export type EventQueue = ReturnType<typeof createEventQueue>
