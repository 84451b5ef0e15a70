/** Phones register for an hour: in a longer run they register again. */
import { setTimeout as sleep } from 'node:timers/promises'

type Options = { register(): Promise<unknown>; fail(text: string): void; isOver: () => boolean }

const everyMs = 20 * 60_000
const stepMs = 1_000

export async function keepRegistered({ register, fail, isOver }: Options) {
  for (let next = performance.now() + everyMs; !isOver(); await sleep(stepMs)) {
    if (performance.now() < next) continue
    next += everyMs
    await register().catch((error: unknown) => fail(`phones register again: ${error}`))
  }
}
