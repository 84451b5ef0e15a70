/** Something that goes away and comes back, again and again; and which calls were under way meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'

/** `everyMs`: between two of them. `forMs`: how long they last, in turn. */
export type Outage = { everyMs: number; forMs: number[] }

type Options = {
  outage: Outage
  leave(): Promise<unknown>
  comeBack(): Promise<unknown>
  isOver: () => boolean
}

const stepMs = 1_000

export function createOutages() {
  const times: { from: number; to: number }[] = []
  return {
    /** It is there when `run` returns. */
    async run({ outage: { everyMs, forMs }, leave, comeBack, isOver }: Options) {
      for (;;) {
        const next = performance.now() + everyMs
        while (performance.now() < next && !isOver()) await sleep(stepMs)
        if (isOver()) return
        const outage = { from: performance.now(), to: Number.POSITIVE_INFINITY }
        times.push(outage)
        await leave()
        await sleep(forMs[(times.length - 1) % forMs.length])
        await comeBack()
        outage.to = performance.now()
      }
    },
    count: () => times.length,
    /** Whether something that began then met an outage, or the time after it that a recovery may take. */
    touched: (since: number, recoveryMs: number): boolean => times.some(({ to }) => to + recoveryMs > since),
  }
}
