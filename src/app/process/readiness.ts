/** Whether this process may be sent requests: not once it was asked to stop, nor while the database takes no writes. */
import type { Timers } from '../../kit/timers.ts'

/** A database that does not answer in this time is not ready. */
const writeWithinMs = 2_000
/** Without a request for `/ready` in this time, there is no balancer that would notice. */
const balancerSeenMs = 60_000

type Deps = {
  timers: Timers
  /** Writes to the database; throws if it cannot. */
  write: () => Promise<unknown>
  /** What else keeps this process from working. */
  problems: () => string[]
}

export function createReadiness({ timers, write, problems }: Deps) {
  let draining = false
  let lastAsked: number | undefined
  let writing: Promise<boolean> | undefined

  /** D221: what is not ready. Draining is reported first, and without asking the database. */
  async function notReady(): Promise<string[]> {
    lastAsked = timers.now()
    if (draining) return ['draining']
    const database = (await canWrite()) ? [] : ['database']
    return [...database, ...problems()]
  }

  /** Requests at the same time share one write: anybody may ask. */
  function canWrite(): Promise<boolean> {
    writing ??= attempt().finally(() => {
      writing = undefined
    })
    return writing
  }

  function attempt(): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = timers.after(writeWithinMs, () => resolve(false))
      const finish = (wrote: boolean) => {
        timeout.cancel()
        resolve(wrote)
      }
      write().then(
        () => finish(true),
        () => finish(false),
      )
    })
  }

  return {
    notReady,
    setDraining(isDraining: boolean) {
      draining = isDraining
    },
    /** D222: after `setDraining`, time for a balancer to send requests elsewhere; none if nobody has asked lately. */
    async leave(seconds: number) {
      if (lastAsked === undefined || timers.now() - lastAsked > balancerSeenMs) return
      await new Promise<void>((resolve) => timers.after(seconds * 1000, resolve))
    },
  }
}
export type Readiness = ReturnType<typeof createReadiness>
