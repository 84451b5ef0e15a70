/**
 * Messages from a media thread to the service, batched into one per turn of the event loop. The next batch of events
 * waits until the service has acknowledged the last one, in a bounded queue: a blocked service loses events but the
 * thread's memory does not grow. Answers are bounded by their requests and do not wait.
 */
import type { Answer, FromThread, MediaEvent } from './messages.ts'

const maxQueuedEvents = 4096

export function createOutbox(post: (message: FromThread) => void) {
  let answers: Answer[] = []
  let events: FromThread['events'] = []
  let missed = 0
  let awaitsAcknowledgement = false
  let isSendScheduled = false

  function scheduleSend() {
    if (isSendScheduled) return
    isSendScheduled = true
    setImmediate(send)
  }

  function send() {
    isSendScheduled = false
    const batch = awaitsAcknowledgement ? [] : events
    if (answers.length === 0 && batch.length === 0) return
    post({ answers, events: batch, missed: awaitsAcknowledgement ? 0 : missed })
    answers = []
    if (batch.length === 0) return
    events = []
    missed = 0
    awaitsAcknowledgement = true
  }

  return {
    answer(answer: Answer) {
      answers.push(answer)
      scheduleSend()
    },
    emit(call: string, event: MediaEvent) {
      if (events.length >= maxQueuedEvents) missed += 1
      else events.push({ call, event })
      scheduleSend()
    },
    acknowledge() {
      awaitsAcknowledgement = false
      if (events.length > 0) scheduleSend()
    },
  }
}
