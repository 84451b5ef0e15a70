/**
 * Reliable provisional responses that we send (RFC 3262, 3): retransmitted until their PRACK arrives, one at a time. The 2xx
 * waits for the PRACK of a response with SDP (RFC 3262, 5).
 */
import { randomInt } from 'node:crypto'
import type { Timer, Timers } from '../../kit/timers.ts'
import { cseq, requires, supported } from '../headers/numbers.ts'
import { firstValue, type SipRequest } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import { type Retransmission, retransmit } from '../transaction/retransmission.ts'
import { defaultTiming, transactionTimeout } from '../transaction/timing.ts'

/** Sends the response with these headers. */
type Respond = (headers: HeaderPairs) => void
type Response = { hasSdp: boolean; respond: Respond }
type Pending = { number: number; hasSdp: boolean; retransmission: Retransmission; timeout: Timer }

const timeoutMs = transactionTimeout(defaultTiming)
const has100rel = (names: string[]) => names.some((name) => name.toLowerCase() === '100rel')

/** D271: where it is required all provisional responses are reliable, where it is supported those with SDP. */
export function reliabilityOf(invite: SipRequest): 'required' | 'supported' | undefined {
  if (has100rel(requires(invite))) return 'required'
  return has100rel(supported(invite)) ? 'supported' : undefined
}

/** `onTimeout`: no PRACK came, so that the INVITE has to be refused. */
export function createReliableProvisionals(timers: Timers, invite: SipRequest, onTimeout: () => void) {
  let number = randomInt(1, 2 ** 30)
  let pending: Pending | undefined
  let waiting: Response[] = []
  let final: (() => void) | undefined

  function next() {
    const [response, ...others] = waiting
    if (pending || !response) return
    waiting = others
    number += 1
    const headers: HeaderPairs = [
      ['Require', '100rel'],
      ['RSeq', String(number)],
    ]
    const transmit = () => response.respond(headers)
    transmit()
    pending = {
      number,
      hasSdp: response.hasSdp,
      retransmission: retransmit(timers, defaultTiming.t1, timeoutMs, transmit),
      timeout: timers.after(timeoutMs, () => {
        stop()
        onTimeout()
      }),
    }
  }

  const hasOpenSdp = () => pending?.hasSdp || waiting.some(({ hasSdp }) => hasSdp)

  function settle() {
    pending?.retransmission.stop()
    pending?.timeout.cancel()
    pending = undefined
  }

  function stop() {
    settle()
    waiting = []
    final = undefined
  }

  return {
    add(response: Response) {
      waiting.push(response)
      next()
    },
    /** False if the PRACK acknowledges nothing that we wait for. */
    acknowledge(prack: SipRequest): boolean {
      const { number: sequence, method } = cseq(invite)
      const [rseq, ...acknowledged] = (firstValue(prack, 'RAck') ?? '').trim().split(/\s+/)
      if (!pending || rseq !== String(pending.number)) return false
      if (acknowledged.join(' ') !== `${sequence} ${method}`) return false
      settle()
      next()
      const run = hasOpenSdp() ? undefined : final
      if (run) stop()
      run?.()
      return true
    },
    /** Sends the 2xx, once no SDP waits for its PRACK. */
    finish(send: () => void) {
      if (hasOpenSdp()) final = send
      else {
        stop()
        send()
      }
    },
    stop,
  }
}
