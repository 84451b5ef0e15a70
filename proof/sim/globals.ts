/**
 * Puts simulated time and seeded randomness in place of Node's, for code that runs inside a simulated process. Code outside of
 * one (the simulator itself) keeps the real ones.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { randomPageBytes, randomPiece } from '../../src/kit/ids.ts'
import type { Owner, Scheduled, Scheduler } from './scheduler.ts'

const current = new AsyncLocalStorage<Owner>()

/** Runs code inside a process. */
export const inside = <T>(owner: Owner, run: () => T): T => current.run(owner, run)

type Options = { scheduler: Scheduler; random: SeededRandom }

export function simulateGlobals({ scheduler, random }: Options) {
  simulateTimers(scheduler)
  simulateRandomness(random)
  syncBuiltinESMExports()
  // Bytes that the service fetched while it was loaded, and has left, do not follow from the seed.
  inside({ isAlive: true, pausedUntil: 0 }, () => randomPiece(randomPageBytes))
}

/** A timer as Node returns it. */
class SimTimer {
  private planned: Scheduled | undefined
  private readonly plan: () => Scheduled

  constructor(plan: () => Scheduled) {
    this.plan = plan
    this.refresh()
  }

  refresh() {
    this.planned?.cancel()
    this.planned = this.plan()
    return this
  }

  close() {
    this.planned?.cancel()
    return this
  }

  ref() {
    return this
  }

  unref() {
    return this
  }

  hasRef() {
    return true
  }

  [Symbol.dispose]() {
    this.close()
  }
}

type Callback = (...args: unknown[]) => void

function simulateTimers(scheduler: Scheduler) {
  const real = { ...globalThis }
  const { setTimeout, setInterval, setImmediate, clearTimeout } = globalThis
  const realNow = performance.now.bind(performance)

  const later = (owner: Owner, ms: number, run: () => void) =>
    scheduler.schedule(ms, () => inside(owner, run), owner)

  const patched = {
    setTimeout(run: Callback, ms = 0, ...args: unknown[]) {
      const owner = current.getStore()
      if (!owner) return Reflect.apply(setTimeout, real, [run, ms, ...args])
      return new SimTimer(() => later(owner, ms, () => run(...args)))
    },
    setInterval(run: Callback, ms = 0, ...args: unknown[]) {
      const owner = current.getStore()
      if (!owner) return Reflect.apply(setInterval, real, [run, ms, ...args])
      const timer: SimTimer = new SimTimer(() =>
        later(owner, ms, () => {
          timer.refresh()
          run(...args)
        }),
      )
      return timer
    },
    setImmediate(run: Callback, ...args: unknown[]) {
      const owner = current.getStore()
      if (!owner) return Reflect.apply(setImmediate, real, [run, ...args])
      return new SimTimer(() => later(owner, 0, () => run(...args)))
    },
  }
  const clear = (timer: unknown) =>
    timer instanceof SimTimer ? timer.close() : Reflect.apply(clearTimeout, real, [timer])
  Object.assign(globalThis, patched, { clearTimeout: clear, clearInterval: clear, clearImmediate: clear })
  Object.defineProperty(performance, 'now', {
    value: () => (current.getStore() ? scheduler.now() : realNow()),
  })
  const wait = (ms: number, value?: unknown) =>
    new Promise((resolve) => globalThis.setTimeout(() => resolve(value), ms))
  Object.assign(timersPromises, {
    setTimeout: wait,
    setImmediate: (value?: unknown) =>
      new Promise((resolve) => globalThis.setImmediate(() => resolve(value))),
  })
}

function simulateRandomness(random: SeededRandom) {
  const real = {
    randomFillSync: crypto.randomFillSync,
    randomBytes: crypto.randomBytes,
    randomUUID: crypto.randomUUID,
    randomInt: crypto.randomInt,
    random: Math.random,
  }
  const fill = (buffer: Buffer) => {
    for (let at = 0; at < buffer.length; at += 1) buffer[at] = random.below(256)
    return buffer
  }
  const uuid = () => {
    const hex = fill(Buffer.alloc(16)).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const isInside = () => current.getStore() !== undefined
  const choose = (name: keyof typeof real, simulated: (...args: never[]) => unknown) =>
    function chosen(this: unknown, ...args: unknown[]) {
      return Reflect.apply(isInside() ? simulated : real[name], this, args)
    }
  Object.assign(crypto, {
    randomFillSync: choose('randomFillSync', fill),
    randomBytes: choose('randomBytes', (size: number) => fill(Buffer.alloc(size))),
    randomUUID: choose('randomUUID', uuid),
    randomInt: choose('randomInt', (below: number) => random.below(below)),
  })
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: choose('randomUUID', uuid) })
  Math.random = choose('random', () => random.next()) as typeof Math.random
}
