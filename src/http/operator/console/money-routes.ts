/** Credit that the operator gives and takes, and charges that are refunded, each with a reason (D617). */
import type { AccountDirectory } from '../../../accounts/account-directory.ts'
import type { OperatorRefunds } from '../../../billing/charges/operator-refunds.ts'
import type { Adjustments } from '../../../billing/ledger/adjustments.ts'
import { refuse, refuseFields } from '../../../contract/errors.ts'
import {
  OperatorAdjusted,
  OperatorAdjustment,
  OperatorRefund,
  OperatorRefunded,
} from '../../../contract/operator-money.ts'
import { toCentavos, toReais } from '../../../kit/text/money.ts'
import { presentCharge } from './account-page.ts'
import { refuseNoAccount } from './no-account.ts'
import { type AnyOperatorEntry, operatorEntry } from './operator-entry.ts'

export type MoneyDeps = {
  accountDirectory: AccountDirectory
  adjustments: Adjustments
  operatorRefunds: OperatorRefunds
}

const domainExample = 'clinica.ramal.localhost'

export function moneyEntries({ accountDirectory, adjustments, operatorRefunds }: MoneyDeps) {
  const entries: AnyOperatorEntry[] = [
    operatorEntry({
      method: 'POST',
      path: '/accounts/:domain/credit',
      about: 'Give credit to an account, or take it away',
      notes:
        'One entry of the ledger, which the statement of the account shows with the reason, and one of its audit log. The same request with the same `key` is entered once, and answered with `repeated`. Credit that calls have reserved cannot be taken.',
      params: { domain: domainExample },
      body: OperatorAdjustment,
      reply: OperatorAdjusted,
      errors: ['ROUTE_NOT_FOUND', 'INSUFFICIENT_CREDIT', 'IDEMPOTENCY_KEY_REUSED'],
      async run({ params: { domain = '' }, body: { amount: reais, reason, key } }) {
        const amount = toCentavos(reais)
        if (amount === undefined || amount === 0) throw refuseFields('Account', { amount: [noAmount] })
        const entered = await adjustments.enter({
          domain,
          amount,
          reason: reason.trim(),
          reference: `manual:${key}`,
        })
        if (entered === 'no account') throw refuseNoAccount(domain)
        if (entered === 'not enough') throw refuse('INSUFFICIENT_CREDIT', { message: notEnough })
        if (entered === 'another entry') throw refuse('IDEMPOTENCY_KEY_REUSED', { message: otherEntry })
        return {
          domain,
          amount: toReais(amount),
          balance: toReais(entered.balance),
          reserved: toReais(entered.reserved),
          repeated: entered.isRepeated,
        }
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/accounts/:domain/charges/:id/refund',
      about: 'Refund a paid charge to its payer',
      notes:
        'The whole amount, at the payment gateway; it leaves the balance when the gateway has refunded it. A charge that is refunded already stays as it is.',
      params: { domain: domainExample, id: '17' },
      body: OperatorRefund,
      reply: OperatorRefunded,
      errors: ['ROUTE_NOT_FOUND', 'CHARGE_NOT_FOUND', 'PAYMENT_REFUSED', 'PAYMENT_GATEWAY_DOWN'],
      async run({ params: { domain = '', id = '' }, body: { reason } }) {
        const account = await accountDirectory.find(domain)
        if (!account) throw refuseNoAccount(domain)
        if (!/^\d{1,15}$/.test(id)) throw refuse('CHARGE_NOT_FOUND')
        const charge = await operatorRefunds.refund({
          accountId: account.id,
          chargeId: Number(id),
          reason: reason.trim(),
        })
        return presentCharge(charge)
      },
    }),
  ]
  return entries
}

const noAmount = {
  code: 'numericality',
  message: {
    en: 'must be an amount such as 10.00 or -5.00, and not zero',
    pt: 'deve ser um valor como 10.00 ou -5.00, diferente de zero',
  },
}
const notEnough = {
  en: 'The account does not have that much credit that is not reserved; nothing was changed.',
  pt: 'A conta não tem tanto crédito que não esteja reservado; nada foi alterado.',
}
const otherEntry = {
  en: 'This key was used for another entry; nothing was changed.',
  pt: 'Esta chave já foi usada em outro lançamento; nada foi alterado.',
}
