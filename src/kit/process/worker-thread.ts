/** A worker thread that answers requests by their id, and the promises that wait for its answers. */
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

export type ThreadAnswer = { id: number; answer?: unknown; failure?: string }

type Options<Message> = {
  /** For error messages, such as `media thread`. */
  name: string
  file: URL
  /** What the thread gets as its `workerData`. */
  data?: unknown
  onMessage(message: Message): void
  /** Called once, when the thread has failed or exited; its pending requests are rejected after that. */
  onEnd?(cause: unknown): void
  lostError?(cause?: unknown): Error
  /** An idle thread then does not keep the process alive; pending requests always do. */
  unrefWhenIdle?: boolean
}

/**
 * The young heap of a thread, in MB. What threads allocate is garbage at once: they need less than the main thread, whose
 * size is set on the command line and would be theirs too. A Worker's `resourceLimits` do not count beside that flag.
 */
const semiSpaceMb = 2

type Pending = { resolve: (answer: never) => void; reject: (error: Error) => void }

export function startWorkerThread<Message>(options: Options<Message>) {
  const { name, file, data, onMessage, onEnd, unrefWhenIdle = false } = options
  const { lostError = (cause) => new Error(`the ${name} ended`, { cause }) } = options
  // For threads started from now on: the main thread already has its heap.
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMb}`)
  const worker = new Worker(file, { workerData: data })
  const pending = new Map<number, Pending>()
  let nextId = 0
  let ended = false

  worker.on('message', onMessage)
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`the ${name} ended with ${code}`)))

  function end(cause: unknown) {
    if (ended) return
    ended = true
    onEnd?.(cause)
    for (const { reject } of pending.values()) reject(lostError(cause))
    pending.clear()
  }

  /** `send` posts the request with its id, now or later. */
  function request<Answer>(send: (id: number) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(lostError())
      const id = nextId++
      pending.set(id, { resolve, reject })
      if (unrefWhenIdle) worker.ref()
      send(id)
    })
  }

  function settle({ id, answer, failure }: ThreadAnswer) {
    const settled = pending.get(id)
    pending.delete(id)
    if (unrefWhenIdle && pending.size === 0) worker.unref()
    if (failure === undefined) settled?.resolve(answer as never)
    else settled?.reject(new Error(failure))
  }

  return {
    request,
    settle,
    post(message: unknown) {
      if (!ended) worker.postMessage(message)
    },
    pendingCount: () => pending.size,
    async stop() {
      await worker.terminate()
    },
  }
}
