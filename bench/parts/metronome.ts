/**
 * Posts a message when the next request is due. It runs on its own thread, since a timer of the event loop may be a
 * whole millisecond late, which is as long as the latencies it would time.
 */
import { parentPort } from 'node:worker_threads'

const never = new Int32Array(new SharedArrayBuffer(4))
const milliseconds = () => Number(process.hrtime.bigint()) / 1e6

parentPort?.once('message', ({ total, everyMs }: { total: number; everyMs: number }) => {
  const began = milliseconds() + everyMs
  for (let beat = 0; beat < total; beat++) {
    const dueAt = began + beat * everyMs
    const wait = dueAt - milliseconds()
    if (wait > 0) Atomics.wait(never, 0, 0, wait)
    parentPort?.postMessage(dueAt)
  }
})
