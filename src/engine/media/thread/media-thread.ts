/** A media thread as the service sees it: requests with answers, events in batches, and its end. */
import { Worker } from 'node:worker_threads'
import { MediaRefusal } from './media-refusal.ts'
import type { FromThread, MediaEvent, Request, RequestName, Requests, ToThread } from './messages.ts'

type Pending = { resolve: (answer: never) => void; reject: (error: Error) => void }
type Listeners = {
  onEvent: (call: string, event: MediaEvent) => void
  onMissed: (events: number) => void
  onEnd: (cause: unknown) => void
}

/** A thread that answers nothing must not gather requests without end. */
const mostPending = 4096

export function startMediaThread({ onEvent, onMissed, onEnd }: Listeners) {
  const worker = new Worker(new URL('./media-worker.ts', import.meta.url))
  const pending = new Map<number, Pending>()
  let ids = 0
  let ended = false
  let asked: Request[] = []
  let heard = false
  let planned = false

  /** One message carries all that is asked in a turn: to wake the thread costs more than to write what it is told. */
  function plan() {
    if (planned) return
    planned = true
    setImmediate(post)
  }

  function post() {
    planned = false
    if (!ended) worker.postMessage({ requests: asked, heard } satisfies ToThread)
    asked = []
    heard = false
  }

  worker.on('message', ({ answers, events, missed }: FromThread) => {
    if (events.length > 0) {
      heard = true
      plan()
    }
    if (missed > 0) onMissed(missed)
    // Events first: nothing is told about a call after the answer that closed it.
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

  function ask<Name extends RequestName>(name: Name, call: string, wish: Requests[Name]['ask']) {
    return new Promise<Requests[Name]['answer']>((resolve, reject) => {
      if (ended) return reject(new MediaRefusal('media lost'))
      if (pending.size >= mostPending) return reject(new MediaRefusal('media busy'))
      const id = ids++
      pending.set(id, { resolve, reject })
      asked.push({ id, call, name, ask: wish } as Request)
      plan()
    })
  }

  return {
    ask,
    async stop() {
      await worker.terminate()
    },
  }
}
export type MediaThread = ReturnType<typeof startMediaThread>
