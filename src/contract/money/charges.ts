/** Charges (top-ups) as the outside sees them (spec §2.2, §4.2). */

import type { Centavos } from '../../kit/text/money.ts'
import { bodyOf } from '../schema/body.ts'
import { Instant, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

export const paymentMethods = ['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** D31: the states of a charge. */
export const chargeStatuses = [
  'PENDING',
  'AWAITING_RISK_ANALYSIS',
  'AUTHORIZED',
  'CONFIRMED',
  'RECEIVED',
  'OVERDUE',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'REFUNDED',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
  'CANCELLED',
] as const
export type ChargeStatus = (typeof chargeStatuses)[number]

/** D30: there is one type. */
export const chargeType = 'CREDIT'

/** D35: how many days ahead a charge may be due, and the limits of its amount, both exclusive. */
export const maxDueDays = 7
export const amountAbove: Centavos = 500
export const amountBelow: Centavos = 5_000_000
/** What gateways accept. */
const maxDescription = 500

const reais = (description: string, example: number) => Type.Number({ description, examples: [example] })

const createdFields = {
  id: Type.Integer(),
  userId: Type.Integer(),
  organizationId: Type.Integer(),
  gateway: Type.String({ description: 'Who collects the money', examples: ['sandbox'] }),
  type: Type.Literal(chargeType),
  paymentMethod: Type.Enum([...paymentMethods], {
    description: 'UNDEFINED: the payer chooses; the one chosen is shown once paid',
  }),
  paymentId: Type.String({ description: 'Of the payment at the gateway', examples: ['pay_0193a2f47a3c'] }),
  paymentLink: Type.String({ description: 'Where the payer pays', examples: ['https://pay.example/i/42'] }),
  pixCode: nullable(
    Type.String({
      description:
        'What the payer copies into their bank’s application; null if PIX is no method, or not yet',
      examples: [
        '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6304ABCD',
      ],
    }),
  ),
  dueDate: Type.String({
    format: 'date-time',
    description: 'When the day it is due begins in Brazil',
    examples: ['2026-11-20T03:00:00.000Z'],
  }),
  amount: reais('Reais of credit', 100),
  totalAmount: reais('Reais the payer owes', 100),
  description: Type.String({ examples: ['November'] }),
  status: Type.Enum([...chargeStatuses]),
  statusUpdatedAt: Instant,
  createdAt: Instant,
  metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
}

/** The answer to a creation. */
export const NewChargeAnswer = Type.Object(createdFields, { $id: 'CreatedCharge' })

export const Charge = Type.Object(
  {
    ...createdFields,
    paymentCode: nullable(
      Type.String({
        description: 'The line of the bank slip; of a charge by PIX, the code to copy and paste',
        examples: ['46191234506789012345767890123457116370000012345'],
      }),
    ),
    invoiceId: nullable(Type.String({ examples: ['00000042'] })),
    invoiceLink: nullable(Type.String({ examples: ['https://pay.example/i/42'] })),
    taxAmount: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Reais the gateway keeps',
      examples: [1.99],
    }),
    paidAt: nullable(Instant),
    refundedAt: nullable(Instant),
    receivedAt: nullable(Instant),
    hasErpInvoice: Type.Boolean(),
  },
  { $id: 'Charge' },
)

export const NewCharge = Type.Object(
  {
    paymentMethod: Type.Enum([...paymentMethods], { examples: ['PIX'] }),
    dueDate: Type.String({
      maxLength: 40,
      description: 'YYYY-MM-DD, from tomorrow to seven days ahead in Brazil',
      examples: ['2026-11-20'],
    }),
    amount: Type.Number({
      description: 'Reais, more than 5.00 and less than 50,000.00, to the centavo',
      examples: [100],
    }),
    description: Type.Optional(
      Type.String({ maxLength: maxDescription, description: 'For the payer', examples: ['November'] }),
    ),
    metadata: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Anything of yours: up to 16 KiB of JSON, 8 levels deep. Sent with the events of the charge.',
          examples: [{ order: 4711 }],
        },
      ),
    ),
  },
  { $id: 'NewCharge', ...bodyOf('Charge', { record: Charge }) },
)
