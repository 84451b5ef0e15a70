/**
 * D636: koffi aborts the process if its thread is ended while it initialises. A thread therefore marks that time, and the main
 * thread waits for its end before it ends the thread, or the process.
 *
 *   starting ──thread──▶ loading ──thread──▶ loaded
 *       └───main thread──▶ ended: the thread loads nothing any more
 */
const starting = 0
const loading = 1
const loaded = 2
const ended = 3
/** Loading takes milliseconds; a thread that hangs must not keep the process from exiting. */
const maxLoadMs = 10_000

/** One number, shared with the thread. */
export type LoadState = Int32Array<SharedArrayBuffer>

/** Those of the threads that run. */
const states = new Set<LoadState>()

// Threads still run while these listeners do.
process.on('exit', () => {
  for (const state of states) endLoading(state)
})

export function createLoadState(): LoadState {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  states.add(state)
  return state
}

/** In the main thread: once it returns, the thread may be ended. */
export function endLoading(state: LoadState) {
  states.delete(state)
  const before = Atomics.compareExchange(state, 0, starting, ended)
  if (before === loading) Atomics.wait(state, 0, loading, maxLoadMs)
}

/** In the thread. Throws if the thread is being ended. */
export function loadOnce<T>(state: LoadState, load: () => T): T {
  if (Atomics.compareExchange(state, 0, starting, loading) === ended)
    throw new Error('the thread is being ended')
  try {
    return load()
  } finally {
    Atomics.store(state, 0, loaded)
    Atomics.notify(state, 0)
  }
}
