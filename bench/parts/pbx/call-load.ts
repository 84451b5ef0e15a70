/** Calls placed through an exchange, ours or another, at a pace; and calls that are held while something is measured. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createTally } from '../tally.ts'

/** What can be told to place calls. The phone of an extension is rung, the destination dialled, the two joined. */
export type Pbx = {
  /** Done when both talk. */
  place(callId: string): Promise<void>
  hangUp(callId: string): void
  liveCalls(): number
}

type SetUpJob = { perSecond: number; seconds: number }
export type SetUps = { placed: number; failed: number; p50: number; p99: number }

/** How long each talks. */
const talkMs = 250
/** A call that takes longer is lost. */
const timeoutMs = 5_000
const holdPerSecond = 25

const milliseconds = () => Number(process.hrtime.bigint()) / 1e6

export function createCallLoad({ place, hangUp, liveCalls }: Pbx) {
  let calls = 0
  let held: string[] = []
  const newId = () => `bench-${process.pid}-${++calls}`

  /** The time of a call runs from when it was due: an exchange that is late at placing it is late. */
  async function setUp({ perSecond, seconds }: SetUpJob): Promise<SetUps> {
    const total = Math.round(perSecond * seconds)
    const tally = createTally()
    const metronome = new Worker(new URL('../metronome.ts', import.meta.url))
    await once(metronome, 'online')
    let placed = 0
    let failed = 0
    const { promise: over, resolve: finish } = Promise.withResolvers<void>()

    async function placeOne(dueAt: number) {
      const callId = newId()
      placed += 1
      if (placed === total) setTimeout(finish, timeoutMs).unref()
      try {
        await place(callId)
        tally.add(200, milliseconds() - dueAt)
        await sleep(talkMs)
        hangUp(callId)
      } catch {
        failed += 1
      }
      if (tally.count() + failed === total) finish()
    }

    metronome.on('message', (dueAt: number) => void placeOne(dueAt))
    metronome.postMessage({ total, everyMs: 1000 / perSecond })
    await over
    await metronome.terminate()
    const { answered, p50, p99 } = tally.close(seconds)
    await untilOver()
    return { placed, failed: total - answered, p50, p99 }
  }

  async function untilOver() {
    const deadline = milliseconds() + timeoutMs
    while (liveCalls() > 0 && milliseconds() < deadline) await sleep(20)
  }

  return {
    setUp,
    async hold({ count }: { count: number }) {
      for (let call = 0; call < count; call++) {
        const callId = newId()
        await place(callId)
        held.push(callId)
        await sleep(1000 / holdPerSecond)
      }
    },
    async release() {
      for (const callId of held) hangUp(callId)
      held = []
      await untilOver()
    },
  }
}
