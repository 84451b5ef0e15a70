/** Load on a PBX, ours or Asterisk: calls set up at a fixed rate, and calls held while something is measured. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createTally } from '../tally.ts'

/** A PBX that places calls: it rings the phone of an extension, dials the destination and bridges the two. */
export type Pbx = {
  /** Resolves when both legs are answered. */
  place(callId: string): Promise<void>
  hangUp(callId: string): void
  liveCalls(): number
}

type SetUpJob = { perSecond: number; seconds: number }
export type SetUps = { placed: number; failed: number; p50: number; p99: number; p999: number }

/** How long each call lasts once it is set up. */
const talkMs = 250
/** A call not set up within this time has failed. */
const timeoutMs = 5_000
const holdPerSecond = 25

const milliseconds = () => Number(process.hrtime.bigint()) / 1e6

export function createCallLoad({ place, hangUp, liveCalls }: Pbx) {
  let calls = 0
  let held: string[] = []
  const newId = () => `bench-${process.pid}-${++calls}`

  /** Set-up time is counted from when the call was due, so a PBX that falls behind the rate is measured as late. */
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
    const { answered, p50, p99, p999 } = tally.close(seconds)
    await untilOver()
    return { placed, failed: total - answered, p50, p99, p999 }
  }

  async function untilOver() {
    const deadline = milliseconds() + timeoutMs
    while (liveCalls() > 0 && milliseconds() < deadline) await sleep(20)
  }

  return {
    setUp,
    async hold({ count, perSecond = holdPerSecond }: { count: number; perSecond?: number }) {
      for (let call = 0; call < count; call++) {
        const callId = newId()
        await place(callId)
        held.push(callId)
        await sleep(1000 / perSecond)
      }
    },
    async release() {
      for (const callId of held) hangUp(callId)
      held = []
      await untilOver()
    },
  }
}
