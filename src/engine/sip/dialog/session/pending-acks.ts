/** Our 2xx to an INVITE, repeated until its ACK comes (RFC 3261, 13.3.1.4): on every transport, it goes end to end. */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import { cseq } from '../../headers/numbers.ts'
import type { SipRequest } from '../../message/message.ts'
import type { IncomingRequest } from '../../transaction/transactions.ts'
import { longest, T1, T2 } from '../user-agent-core.ts'

type Pending = {
  /** It carried our offer: the answer is in the ACK. */
  awaitsAnswer: boolean
  repeating: Timer
  deadline: Timer
}
type Deps = {
  timers: Timers
  onAck(ack: SipRequest, awaitedAnswer: boolean): void
  onTimeout(): void
}

export function createPendingAcks({ timers, onAck, onTimeout }: Deps) {
  /** By the sequence of their INVITE. */
  const pending = new Map<number, Pending>()

  function settle(sequence: number): Pending | undefined {
    const one = pending.get(sequence)
    one?.repeating.cancel()
    one?.deadline.cancel()
    pending.delete(sequence)
    return one
  }

  return {
    /** The 2xx itself has been given. */
    add(incoming: IncomingRequest, awaitsAnswer: boolean) {
      const sequence = cseq(incoming.request).number
      const plan = (ms: number): Timer =>
        timers.after(ms, () => {
          incoming.repeat()
          one.repeating = plan(Math.min(2 * ms, T2))
        })
      const deadline = timers.after(longest, () => {
        settle(sequence)
        onTimeout()
      })
      const one: Pending = { awaitsAnswer, deadline, repeating: plan(T1) }
      pending.set(sequence, one)
    },

    /** An ACK that comes again finds nothing. */
    take(ack: SipRequest) {
      const one = settle(cseq(ack).number)
      if (one) onAck(ack, one.awaitsAnswer)
    },

    pending: () => pending.size > 0,
    awaitAnswer: () => [...pending.values()].some(({ awaitsAnswer }) => awaitsAnswer),
    stop() {
      for (const sequence of [...pending.keys()]) settle(sequence)
    },
  }
}
export type PendingAcks = ReturnType<typeof createPendingAcks>
