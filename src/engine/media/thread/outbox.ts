/**
 * What a media thread has to tell, gathered into one message per turn of its event loop. Events wait until the
 * last batch was heard, in a queue with an end: a service that stands still costs events, never memory. Answers
 * are as many as were asked for and do not wait.
 */
import type { Answer, FromThread, MediaEvent } from './messages.ts'

const mostWaiting = 4096

export function createOutbox(post: (message: FromThread) => void) {
  let answers: Answer[] = []
  let events: FromThread['events'] = []
  let missed = 0
  let unheard = false
  let planned = false

  function plan() {
    if (planned) return
    planned = true
    setImmediate(send)
  }

  function send() {
    planned = false
    const told = unheard ? [] : events
    if (answers.length === 0 && told.length === 0) return
    post({ answers, events: told, missed: unheard ? 0 : missed })
    answers = []
    if (told.length === 0) return
    events = []
    missed = 0
    unheard = true
  }

  return {
    answer(answer: Answer) {
      answers.push(answer)
      plan()
    },
    tell(call: string, event: MediaEvent) {
      if (events.length >= mostWaiting) missed += 1
      else events.push({ call, event })
      plan()
    },
    heard() {
      unheard = false
      if (events.length > 0) plan()
    },
  }
}
