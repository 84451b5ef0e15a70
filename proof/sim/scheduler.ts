/**
 * Simulated time. Everything that happens in a run is an event in one queue: timers of the service, statements that reach the
 * database, answers, what people and faults do. One runs at a time, and the next only when nothing is left to do of it; so
 * the order depends on the seed alone.
 */
import { isReadingFiles } from './boot.ts'

const { setImmediate: realSetImmediate } = globalThis

export type Scheduled = { cancel(): void }

/** What an event belongs to: those of a process that was killed never run. */
export type Owner = { isAlive: boolean; pausedUntil: number }

type SimEvent = {
  due: number
  /** When it was due at first: a process that was paused goes on in this order. */
  planned: number
  order: number
  run: () => void | Promise<void>
  owner: Owner | undefined
  isCancelled: boolean
}

export function createScheduler() {
  const heap: SimEvent[] = []
  let now = 0
  let made = 0
  let ran = 0

  const isBefore = (a: SimEvent, b: SimEvent) => {
    if (a.due !== b.due) return a.due < b.due
    return a.planned === b.planned ? a.order < b.order : a.planned < b.planned
  }

  function push(event: SimEvent) {
    heap.push(event)
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!swapIf(at, parent)) return
      at = parent
    }
  }

  /** Swaps the two if the first one is due earlier. */
  function swapIf(at: number, parent: number): boolean {
    const [one, other] = [heap[at], heap[parent]]
    if (!one || !other || !isBefore(one, other)) return false
    heap[at] = other
    heap[parent] = one
    return true
  }

  function pop(): SimEvent | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || first === last) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (!left) return first
      const child = right && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1
      if (!swapIf(child, at)) return first
      at = child
    }
  }

  function schedule(ms: number, run: SimEvent['run'], owner?: Owner): Scheduled {
    const due = now + Math.max(0, ms)
    const event: SimEvent = { due, planned: due, order: made++, run, owner, isCancelled: false }
    push(event)
    return {
      cancel() {
        event.isCancelled = true
      },
    }
  }

  /** Runs the next event. False if there is none. */
  async function step(): Promise<boolean> {
    const event = pop()
    if (!event) return false
    if (event.isCancelled || event.owner?.isAlive === false) return true
    now = Math.max(now, event.due)
    const pausedUntil = event.owner?.pausedUntil ?? 0
    if (pausedUntil > now) {
      event.due = pausedUntil
      push(event)
      return true
    }
    ran += 1
    await event.run()
    await settle()
    return true
  }

  return {
    now: () => now,
    ran: () => ran,
    schedule,
    step,
    /** Runs events until the condition holds, which is looked at after each of them. */
    async runUntil(isDone: () => boolean) {
      while (!isDone()) if (!(await step())) throw new Error('nothing is left to happen')
    },
  }
}
export type Scheduler = ReturnType<typeof createScheduler>

/** Resolves when promises and ticks of this process have nothing left to do, and no file is being read. */
async function settle() {
  do await new Promise<void>((resolve) => realSetImmediate(resolve))
  while (isReadingFiles())
}
