/** Retransmits our 2xx to an INVITE until its ACK arrives (RFC 3261, 13.3.1.4): end to end, so on every transport. */
import type { Timer, Timers } from '../../../kit/timers.ts'
import { cseq } from '../../headers/numbers.ts'
import type { SipRequest } from '../../message/message.ts'
import { type Retransmission, retransmit } from '../../transaction/retransmission.ts'
import { defaultTiming, transactionTimeout } from '../../transaction/timing.ts'
import type { IncomingRequest } from '../../transaction/transactions.ts'

type Pending = {
  /** The 2xx carried our offer: the answer is in the ACK. */
  awaitsAnswer: boolean
  retransmission: Retransmission
  timeout: Timer
}
type Deps = {
  timers: Timers
  onAck(ack: SipRequest, awaitedAnswer: boolean): void
  onTimeout(): void
}

export function createPendingAcks({ timers, onAck, onTimeout }: Deps) {
  /** By the CSeq number of the INVITE. */
  const pending = new Map<number, Pending>()

  function remove(sequence: number): Pending | undefined {
    const one = pending.get(sequence)
    one?.retransmission.stop()
    one?.timeout.cancel()
    pending.delete(sequence)
    return one
  }

  return {
    /** To be called after the 2xx was sent. */
    add(incoming: IncomingRequest, awaitsAnswer: boolean) {
      const sequence = cseq(incoming.request).number
      const { t1, t2 } = defaultTiming
      pending.set(sequence, {
        awaitsAnswer,
        retransmission: retransmit(timers, t1, t2, incoming.repeat),
        timeout: timers.after(transactionTimeout(defaultTiming), () => {
          remove(sequence)
          onTimeout()
        }),
      })
    },

    /** Ignores a retransmitted ACK. */
    receive(ack: SipRequest) {
      const one = remove(cseq(ack).number)
      if (one) onAck(ack, one.awaitsAnswer)
    },

    isPending: () => pending.size > 0,
    awaitsAnswer: () => [...pending.values()].some(({ awaitsAnswer }) => awaitsAnswer),
    stop() {
      for (const sequence of [...pending.keys()]) remove(sequence)
    },
  }
}
export type PendingAcks = ReturnType<typeof createPendingAcks>
