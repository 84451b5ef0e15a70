/** Stateless responses (RFC 3261, 8.2.7): sent once, without a transaction, and rate-limited. */
import { randomBytes } from 'node:crypto'
import type { Timers } from '../../kit/timers.ts'
import { fullBucket, takeToken } from '../../kit/token-bucket.ts'
import type { Counts } from '../counts.ts'
import type { WithHeaders } from '../header.ts'
import { via } from '../headers/via.ts'
import type { HeaderPairs } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import { serialise } from '../message/serialise.ts'
import { type Answerable, SipRefusal } from '../refusal.ts'
import type { Flow, Target } from './flow.ts'
import { returnPath } from './return-path.ts'

type Deps = {
  timers: Timers
  counts: Counts
  /** Writes the source of a request into its top Via. */
  noteSource<Request extends WithHeaders>(request: Request, flow: Flow): Request
  send(bytes: Buffer, path: Target): void
}
type Answer = { status: number; reason?: string; headers?: HeaderPairs }

/** Enough for faulty phones, too little for an attack that forges source addresses. */
const rate = { perSecond: 20, burst: 50 }

export function createStatelessResponder({ timers, counts, noteSource, send }: Deps) {
  const bucket = fullBucket(rate, timers.now())
  // RFC 3261, 8.2.7: a retransmitted request must get the same To tag, without state.
  const toTag = randomBytes(6).toString('hex')

  /** The top Via of the request must have its `received` parameter. */
  function answer(request: Answerable, flow: Flow, { status, ...more }: Answer) {
    if (!takeToken(bucket, rate, timers.now())) return counts.add('sip_stateless_withheld_total')
    counts.add('sip_stateless_total')
    const response = buildResponse(request, status, { toTag, ...more })
    send(serialise(response), returnPath(flow, via(request)))
  }

  /** Without a readable Via there is nowhere to send the response. */
  function refuse({ request, status, message }: SipRefusal, flow: Flow) {
    if (!request) return
    try {
      answer(noteSource(request, flow), flow, { status, reason: message })
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
    }
  }

  return { answer, refuse }
}
