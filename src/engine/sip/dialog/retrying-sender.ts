/** Requests that may have to be sent anew, with the next sequence and in a transaction of their own. */
import { createDigestClient } from '../digest/client.ts'
import { cseq, retryAfter } from '../headers/numbers.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { RequestHandle, ResponseListener, Transactions } from '../transaction/transactions.ts'
import type { Target } from '../transport/flow.ts'

/** A proxy and the one behind it may each want a password, and each find its nonce stale. */
const maxTries = 4
const credentials = new Set(['Authorization', 'Proxy-Authorization'])

export type Login = { username: string; password: string }
export type SentRequest = Pick<RequestHandle, 'cancel'> & {
  /** What the newest try was sent with: the ACK of a 2xx carries it too (22.1). */
  credentials(): HeaderPairs
  /** Whatever still comes is told to another, and nothing is tried again: whoever asked can be forgotten. */
  handOver(to: ResponseListener): void
}

type Counting = {
  /** The sequence of another try. */
  next(): number
  /** Whether something was sent after it that may have arrived before it. */
  isOvertaken(sequence: number): boolean
}

export type Send = (
  request: SipRequest,
  target: Target,
  counting: Counting,
  listener: ResponseListener,
) => SentRequest

export function createRetryingSender(transactions: Transactions, login: Login | undefined): Send {
  const digest = login && createDigestClient({ login: () => login })

  return (first, target, counting, asker) => {
    let tries = 0
    let cancelled = false
    let current: RequestHandle | undefined
    /** These three are all that holds the leg. */
    let listener = asker
    let count: Counting | undefined = counting
    let newest: SipRequest | undefined = first
    attempt(first)

    function attempt(request: SipRequest) {
      tries += 1
      newest = request
      const mine = tries
      const made = transactions.request(request, target, {
        onProvisional: (response, flow) => listener.onProvisional?.(response, flow),
        onFinal(response, flow) {
          const again = mine === tries && newest && count ? nextTry(newest, response, count) : undefined
          if (again) attempt(again)
          else listener.onFinal(response, flow)
        },
        onFailed: (why) => listener.onFailed(why),
      })
      if (mine === tries) current = made
    }

    function nextTry(
      request: SipRequest,
      response: SipResponse,
      { next, isOvertaken }: Counting,
    ): SipRequest | undefined {
      if (cancelled || tries > maxTries) return undefined
      // RFC 3261, 12.2.2: to one who has heard a later one of ours, it is out of order.
      const tooLate = response.status === 500 && retryAfter(response) === undefined
      if (tooLate && isOvertaken(cseq(request).number)) return withSequence(request, next())
      const challenged = response.status === 401 || response.status === 407
      const signed = challenged ? digest?.answer(request, response) : undefined
      return signed && withSequence(signed, next())
    }

    return {
      cancel(headers) {
        cancelled = true
        current?.cancel(headers)
      },
      credentials: () =>
        (newest?.headers ?? [])
          .filter(({ name }) => credentials.has(name))
          .map(({ name, value }) => [name, value]),
      handOver(to) {
        listener = to
        count = undefined
        newest = undefined
      },
    }
  }
}

function withSequence(request: SipRequest, number: number): SipRequest {
  const value = `${number} ${cseq(request).method}`
  const headers = request.headers.map((header) => (header.name === 'CSeq' ? { ...header, value } : header))
  return { ...request, headers }
}
