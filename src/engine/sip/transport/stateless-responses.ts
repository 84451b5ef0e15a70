/** Answers without a transaction: once, forgotten at once, and only so many a second. */
import { randomBytes } from 'node:crypto'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, takeToken } from '../../../kit/token-bucket.ts'
import type { Counts } from '../counts.ts'
import { addReceived, via } from '../headers/via.ts'
import type { HeaderPairs } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import { serialise } from '../message/serialise.ts'
import { type Answerable, SipRefusal } from '../refusal.ts'
import type { Flow, Target } from './flow.ts'
import { returnPath } from './return-path.ts'

type Deps = {
  timers: Timers
  counts: Counts
  send(bytes: Buffer, path: Target): void
}
type Answer = { status: number; reason?: string; headers?: HeaderPairs }

/** Enough for a phone with a fault; too little to be worth anybody's flood, with a source that may be forged. */
const rate = { perSecond: 20, burst: 50 }

export function createStatelessResponder({ timers, counts, send }: Deps) {
  const bucket = fullBucket(rate, timers.now())
  // RFC 3261, 8.2.7: the same request gets the same tag, with nothing remembered.
  const toTag = randomBytes(6).toString('hex')

  /** The request's top Via has its source already. */
  function answer(request: Answerable, flow: Flow, { status, ...more }: Answer) {
    if (!takeToken(bucket, rate, timers.now())) return counts.add('sip_stateless_withheld_total')
    counts.add('sip_stateless_total')
    const response = buildResponse(request, status, { toTag, ...more })
    send(serialise(response), returnPath(flow, via(request)))
  }

  /** A Via that cannot be read leads nowhere. */
  function refuse({ request, status, message }: SipRefusal, flow: Flow) {
    if (!request) return
    try {
      answer(addReceived(request, flow.remote), flow, { status, reason: message })
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
    }
  }

  return { answer, refuse }
}
