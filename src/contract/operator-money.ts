/** Credit that the operator gives and takes, and refunds (D617). */
import { Charge, Reason } from './operator-account.ts'
import { bodyOf } from './schema/body.ts'
import { Type } from './schema/type.ts'

const reais = (example: number) => Type.Number({ description: 'Reais', examples: [example] })

export const OperatorAdjustment = Type.Object(
  {
    amount: Type.Number({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Reais; below zero takes credit away',
      examples: [10],
    }),
    reason: Reason,
    key: Type.String({
      minLength: 8,
      maxLength: 100,
      pattern: '^[\\w.:-]+$',
      description: 'Any text of yours, by which this request is entered once however often it is sent',
      examples: ['ticket-4711'],
    }),
  },
  bodyOf('Account'),
)

export const OperatorAdjusted = Type.Object(
  {
    domain: Type.String({ examples: ['clinica.ramal.localhost'] }),
    amount: reais(10),
    balance: reais(59.88),
    reserved: reais(0.06),
    repeated: Type.Boolean({
      description: 'It was entered before, and nothing was changed now',
      examples: [false],
    }),
  },
  { $id: 'OperatorAdjusted' },
)

export const OperatorRefund = Type.Object({ reason: Reason }, bodyOf('Charge'))

export const OperatorRefunded = Charge
