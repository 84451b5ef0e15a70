/** What the payer does at the payment page. The key in the link is the only authorization. */
import type { Clock } from '../../kit/clock.ts'
import { type CardForm, type CardProblems, readCard } from './cards.ts'
import {
  isPayable,
  methodsOf,
  type PayableMethod,
  type PayerAction,
  statusAfter,
  statusWhenPaid,
} from './payment.ts'
import type { MoveResult, SandboxPayments } from './payments.ts'

/** `too late`: the payment's status does not allow it any more. */
export type PayerAnswer = 'done' | 'unknown' | 'too late' | 'card refused' | CardProblems

const keyShape = /^[0-9A-Za-z]{32}$/

export function createPayer({ payments, clock }: { payments: SandboxPayments; clock: Clock }) {
  return {
    find: async (key: string) => (keyShape.test(key) ? await payments.find({ key }) : undefined),

    /** `form` is for cards only. */
    async pay(key: string, method: PayableMethod, form?: CardForm): Promise<PayerAnswer> {
      const card = form ? readCard(form, clock.now()) : null
      if (card && 'problems' in card) return card
      const status = statusWhenPaid(method, card)
      if (!status) return 'card refused'
      const changed = await payments.change({ key }, (payment) =>
        isPayable(payment) && methodsOf(payment).includes(method)
          ? { status, paidWith: method, card }
          : undefined,
      )
      return answer(changed)
    },

    /** What a payer cannot do at a real gateway, offered here to try out its consequences. */
    async act(key: string, action: PayerAction): Promise<PayerAnswer> {
      const changed = await payments.change({ key }, (payment) => {
        const status = statusAfter(action, payment)
        return status && { status }
      })
      return answer(changed)
    },
  }
}
export type Payer = ReturnType<typeof createPayer>

function answer(changed: MoveResult | undefined): PayerAnswer {
  if (!changed) return 'unknown'
  return changed.moved ? 'done' : 'too late'
}
