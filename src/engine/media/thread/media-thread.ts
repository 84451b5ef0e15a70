/** A media thread as the service sees it: requests with answers, events in batches, and its end. */
import { Worker } from 'node:worker_threads'
import type { FromThread, MediaEvent, Request, RequestName, Requests, ToThread } from './messages.ts'

/** `ports used up` is congestion; the other reasons are a mistake of the requester or a lost thread. */
export type MediaRefusalReason =
  | 'ports used up'
  | 'call already open'
  | 'no such call'
  | 'media busy'
  | 'media lost'
  | 'media stopped'

export class MediaRefusal extends Error {
  readonly reason: MediaRefusalReason
  constructor(reason: MediaRefusalReason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

type Pending = { resolve: (answer: never) => void; reject: (error: Error) => void }
type Listeners = {
  onEvent: (call: string, event: MediaEvent) => void
  onMissed: (events: number) => void
  onEnd: (cause: unknown) => void
}

/** Bounds the memory of requests to a thread that does not answer. */
const maxPending = 4096

export function startMediaThread({ onEvent, onMissed, onEnd }: Listeners) {
  const worker = new Worker(new URL('./media-worker.ts', import.meta.url))
  const pending = new Map<number, Pending>()
  let lastId = 0
  let ended = false
  let queued: Request[] = []
  let acknowledgesEvents = false
  let isPostScheduled = false

  /** One message for all requests of an event loop turn: waking the thread costs more than writing them. */
  function schedulePost() {
    if (isPostScheduled) return
    isPostScheduled = true
    setImmediate(post)
  }

  function post() {
    isPostScheduled = false
    if (!ended) worker.postMessage({ requests: queued, acknowledgesEvents } satisfies ToThread)
    queued = []
    acknowledgesEvents = false
  }

  worker.on('message', ({ answers, events, missed }: FromThread) => {
    if (events.length > 0) {
      acknowledgesEvents = true
      schedulePost()
    }
    if (missed > 0) onMissed(missed)
    // Events first: no event of a call may follow the answer that closed it.
    for (const { call, event } of events) onEvent(call, event)
    for (const { id, answer, failure } of answers) {
      const request = pending.get(id)
      pending.delete(id)
      if (failure === undefined) request?.resolve(answer as never)
      else request?.reject(new Error(failure))
    }
  })
  const end = (cause: unknown) => {
    if (ended) return
    ended = true
    onEnd(cause)
    for (const { reject } of pending.values()) reject(new MediaRefusal('media lost', { cause }))
    pending.clear()
  }
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`the media thread ended with ${code}`)))

  function request<Name extends RequestName>(name: Name, call: string, input: Requests[Name]['input']) {
    return new Promise<Requests[Name]['answer']>((resolve, reject) => {
      if (ended) return reject(new MediaRefusal('media lost'))
      if (pending.size >= maxPending) return reject(new MediaRefusal('media busy'))
      const id = lastId++
      pending.set(id, { resolve, reject })
      queued.push({ id, call, name, input } as Request)
      schedulePost()
    })
  }

  return {
    request,
    async stop() {
      await worker.terminate()
    },
  }
}
export type MediaThread = ReturnType<typeof startMediaThread>
