/** D617: refunds of charges by the operator. */
import { refuse } from '../../contract/errors.ts'
import { inEveryLanguage } from '../../kit/text/language.ts'
import type { Charge } from './charge.ts'
import type { Charges } from './charges.ts'

const retryAfter = 30
const refunded = ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED']

type Asked = { accountId: number; chargeId: number; reason: string }

export function createOperatorRefunds({ charges }: { charges: Pick<Charges, 'find' | 'refund'> }) {
  /** A charge that is refunded, or is being refunded, does not change. The ledger follows the gateway (D34). */
  async function refund({ accountId, chargeId, reason }: Asked): Promise<Charge> {
    const charge = await charges.find({ accountId }, chargeId)
    if (refunded.includes(charge.status)) return charge
    const answer = await charges.refund(chargeId, reason)
    if (!answer) throw refuse('CHARGE_NOT_FOUND')
    if (!('ok' in answer)) return answer
    if (answer.why !== 'refused') throw refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    throw refuse('PAYMENT_REFUSED', { message: inEveryLanguage(() => answer.reason) })
  }

  return { refund }
}
export type OperatorRefunds = ReturnType<typeof createOperatorRefunds>
