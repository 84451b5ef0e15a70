/** The processes of a run: three machines, on which a process that was killed or stopped is started again. */
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { createFakeNetwork } from '../../src/engine/fake/network.ts'
import { inside } from './globals.ts'
import type { Scheduler } from './scheduler.ts'
import { type Parts, type ServiceProcess, type Slot, startProcess } from './service-process.ts'

const machines = [
  { name: 'a', roles: 'api,worker,voice' },
  { name: 'b', roles: 'api,worker,voice' },
  { name: 'c', roles: 'api,voice' },
]

const maxClockOffsetMs = 25_000

type Deps = {
  scheduler: Scheduler
  random: SeededRandom
  processes: Set<ServiceProcess>
  parts: Parts
  closeConnections(process: ServiceProcess): Promise<void>
  /** Before the process is gone. */
  onKilled(process: ServiceProcess): void
}

export function createFleet({ scheduler, random, processes, parts, closeConnections, onKilled }: Deps) {
  const slots: Slot[] = machines.map(({ name, roles }, index) => ({
    name,
    roles,
    sipPort: 5061 + index,
    network: createFakeNetwork(),
    // Clocks of machines differ, by less than what makes a process not ready (D516).
    clockOffsetMs: Math.round((random.next() - 0.5) * 2 * maxClockOffsetMs),
  }))
  let isClosing = false

  function start(slot: Slot) {
    const process = startProcess(slot, parts)
    processes.add(process)
    watchStart(process)
    return process
  }

  /** A start that failed is tried again, as a supervisor does. */
  function watchStart(process: ServiceProcess) {
    scheduler.schedule(1_000, () => {
      if (process.isUp) return
      if (process.isAlive) return watchStart(process)
      if (!processes.delete(process)) return
      void closeConnections(process)
      if (!isClosing) start(process.slot)
    })
  }

  /** In the middle of whatever it does. */
  function kill(process: ServiceProcess) {
    if (!process.isAlive) return
    onKilled(process)
    process.isAlive = false
    process.engine?.kill()
    processes.delete(process)
    scheduler.schedule(0, () => closeConnections(process))
    if (!isClosing) scheduler.schedule(500 + random.next() * 6_000, () => void start(process.slot))
  }

  /** As a supervisor does that waits for so long. With a drain the process works until its calls and phones are elsewhere. */
  function stop(process: ServiceProcess, { drains = false, withinMs = 40_000 } = {}) {
    const { app } = process
    if (!app || !process.isUp) return
    let isOver = false
    const finish = () => {
      if (isOver || !process.isAlive) return
      isOver = true
      kill(process)
    }
    inside(process, async () => {
      if (drains) await app.drain()
      // Another fault may have stopped it meanwhile.
      if (!process.isUp) return
      process.isUp = false
      await app.stop()
    }).then(finish, finish)
    scheduler.schedule(withinMs, finish)
  }

  let isRolling = false

  /** One machine after the other, as for an upgrade: its process drains, stops and is replaced, and the next one waits for it. */
  function restartAll() {
    if (isRolling) return false
    isRolling = true
    restartFrom(0)
    return true
  }

  function restartFrom(index: number) {
    const slot = slots[index]
    if (!slot) {
      isRolling = false
      return
    }
    const findServing = () => [...processes].find((one) => one.slot === slot && one.isUp)
    // One that is starting cannot be stopped in order.
    waitFor(findServing, (old) => {
      stop(old, { drains: true, withinMs: 60_000 })
      const findNext = () => [...processes].find((one) => one.slot === slot && one !== old && one.isUp)
      waitFor(findNext, () => restartFrom(index + 1))
    })
  }

  function waitFor(find: () => ServiceProcess | undefined, then: (found: ServiceProcess) => void) {
    scheduler.schedule(1_000, () => {
      const found = find()
      if (found) then(found)
      else if (!isClosing) waitFor(find, then)
    })
  }

  return {
    slots,
    start,
    kill,
    stop,
    restartAll,
    isRolling: () => isRolling,
    close() {
      isClosing = true
    },
    isComplete: () =>
      slots.every((slot) => [...processes].some((one) => one.slot === slot && one.isUp && one.isAlive)),
  }
}
