/** A media thread as the service sees it: requests with answers, events in batches, and its end. */
import { startWorkerThread } from '../../kit/process/worker-thread.ts'
import { createLoadState, endLoading } from './load-state.ts'
import type {
  FromThread,
  MediaEvent,
  Request,
  RequestName,
  Requests,
  ThreadData,
  ToThread,
} from './messages.ts'

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

type Options = {
  data: Omit<ThreadData, 'loadState'>
  onEvent: (call: string, event: MediaEvent) => void
  onMissed: (events: number) => void
  onEnd: (cause: unknown) => void
}

/** Bounds the memory of requests to a thread that does not answer. */
const maxPending = 4096

export function startMediaThread({ data, onEvent, onMissed, onEnd }: Options) {
  const loadState = createLoadState()
  const thread = startWorkerThread<FromThread>({
    name: 'media thread',
    file: new URL('./media-worker.ts', import.meta.url),
    data: { ...data, loadState } satisfies ThreadData,
    onMessage,
    onEnd(cause) {
      endLoading(loadState)
      onEnd(cause)
    },
    lostError: (cause) => new MediaRefusal('media lost', cause === undefined ? {} : { cause }),
  })
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
    thread.post({ requests: queued, acknowledgesEvents } satisfies ToThread)
    queued = []
    acknowledgesEvents = false
  }

  function onMessage({ answers, events, missed }: FromThread) {
    if (events.length > 0) {
      acknowledgesEvents = true
      schedulePost()
    }
    if (missed > 0) onMissed(missed)
    // Events first: no event of a call may follow the answer that closed it.
    for (const { call, event } of events) onEvent(call, event)
    for (const answer of answers) thread.settle(answer)
  }

  async function request<Name extends RequestName>(name: Name, call: string, input: Requests[Name]['input']) {
    if (thread.pendingCount() >= maxPending) throw new MediaRefusal('media busy')
    return await thread.request<Requests[Name]['answer']>((id) => {
      queued.push({ id, call, name, input } as Request)
      schedulePost()
    })
  }

  return {
    request,
    async stop() {
      endLoading(loadState)
      await thread.stop()
    },
  }
}
export type MediaThread = ReturnType<typeof startMediaThread>
