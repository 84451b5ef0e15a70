/** Sends a request, and sends it again with the next CSeq in a new transaction: after a challenge, or if it arrived out of order. */
import { createDigestClient } from '../digest/client.ts'
import { cseq, retryAfter } from '../headers/numbers.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { RequestHandle, ResponseListener, Transactions } from '../transaction/transactions.ts'
import type { Target } from '../transport/flow.ts'

/** Enough for a proxy and a server behind it to each challenge us, and to each find a nonce stale. */
const maxTries = 4
const credentials = new Set(['Authorization', 'Proxy-Authorization'])

export type Login = { username: string; password: string }
export type SentRequest = Pick<RequestHandle, 'cancel'> & {
  /** Credentials of the latest try; the ACK of its 2xx carries them too (22.1). */
  credentials(): HeaderPairs
  /** Later responses go to another listener and nothing is retried, so that the first listener can be freed. */
  handOver(to: ResponseListener): void
}

type Sequence = {
  /** The CSeq number for another try. */
  next(): number
  /** True if a later request of ours may have arrived before this one. */
  isOvertaken(sequence: number): boolean
}

export type Send = (
  request: SipRequest,
  target: Target,
  sequence: Sequence,
  listener: ResponseListener,
) => SentRequest

export function createRetryingSender(transactions: Transactions, login: Login | undefined): Send {
  const digest = login && createDigestClient({ login: () => login })

  return (first, target, sequence, firstListener) => {
    let tries = 0
    let cancelled = false
    let current: RequestHandle | undefined
    /** Only these three refer to the leg; `handOver` clears them. */
    let listener = firstListener
    let numbers: Sequence | undefined = sequence
    let latest: SipRequest | undefined = first
    attempt(first)

    function attempt(request: SipRequest) {
      tries += 1
      latest = request
      const mine = tries
      const made = transactions.request(request, target, {
        onProvisional: (response, flow) => listener.onProvisional?.(response, flow),
        onFinal(response, flow) {
          const again = mine === tries && latest && numbers ? nextTry(latest, response, numbers) : undefined
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
      { next, isOvertaken }: Sequence,
    ): SipRequest | undefined {
      if (cancelled || tries > maxTries) return undefined
      // RFC 3261, 12.2.2: the peer answers 500 to a request that arrives after a later one.
      const outOfOrder = response.status === 500 && retryAfter(response) === undefined
      if (outOfOrder && isOvertaken(cseq(request).number)) return withSequence(request, next())
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
        (latest?.headers ?? [])
          .filter(({ name }) => credentials.has(name))
          .map(({ name, value }) => [name, value]),
      handOver(to) {
        listener = to
        numbers = undefined
        latest = undefined
      },
    }
  }
}

function withSequence(request: SipRequest, number: number): SipRequest {
  const value = `${number} ${cseq(request).method}`
  const headers = request.headers.map((header) => (header.name === 'CSeq' ? { ...header, value } : header))
  return { ...request, headers }
}
