/**
 * Garbage of a whole process: each thread has a heap of its own. A process that is started with `--import` of this file and
 * `--expose-gc` collects the garbage of all its threads.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'

const releaseMs = 1_000
const channel = new BroadcastChannel('collect garbage')
channel.onmessage = () => globalThis.gc?.()
channel.unref()

/** Before memory is read: V8 gives freed pages back in the background, and finalizers free more. */
export async function collectGarbage() {
  for (let times = 0; times < 2; times++) {
    channel.postMessage('now')
    globalThis.gc?.()
    await sleep(releaseMs)
  }
}
