/**
 * A payment of the sandbox: what may become of it, by whose hand or by the clock. The ways are those of a real
 * gateway; what takes banks days takes a minute where somebody is waiting at the page.
 *
 *   PENDING, OVERDUE ──PIX──▶ RECEIVED
 *    │  │ └──slip, card──▶ CONFIRMED ──days──▶ RECEIVED
 *    │  └──card──▶ AWAITING_RISK_ANALYSIS ──a minute──▶ CONFIRMED, or PENDING again
 *    └──▶ CANCELLED
 *   CONFIRMED, RECEIVED ──refund──▶ REFUNDED (slip: REFUND_REQUESTED ──a minute──▶ REFUNDED)
 *   CONFIRMED ──card──▶ CHARGEBACK_REQUESTED ──▶ REFUNDED, or CHARGEBACK_DISPUTE
 *   CHARGEBACK_DISPUTE ──▶ REFUNDED, or AWAITING_CHARGEBACK_REVERSAL ──a minute──▶ CONFIRMED
 */
import { startOfDay } from '../../filter/where/time-zone.ts'
import { plusSeconds } from '../../kit/clock.ts'
import type { Centavos } from '../../kit/money.ts'
import type { PaymentMethod, PaymentStatus } from '../port.ts'
import type { Card } from './cards.ts'

export type PayableMethod = Exclude<PaymentMethod, 'UNDEFINED'>

export type SandboxPayment = {
  id: number
  paymentId: string
  /** What the link has; who knows it may pay. */
  key: string
  reference: string
  payerName: string | null
  method: PaymentMethod
  paidWith: PayableMethod | null
  /** Of the card it was paid with, or is being looked at. */
  card: Card | null
  dueDate: string
  amount: Centavos
  description: string
  status: PaymentStatus
  statusAt: Date
  createdAt: Date
}

/** What the payer, or whoever tries things out at the page, may ask for. */
export type PayerAction = 'expire' | 'approve' | 'reprove' | 'refund' | 'dispute' | 'concede' | 'win' | 'lose'

/** What a step changes; `next` is what the clock will do by itself. */
export type Step = {
  status: PaymentStatus
  paidWith: PayableMethod | null
  card: Card | null
  next: { status: PaymentStatus; at: Date } | null
}

const minute = 60
const day = 86_400
/** Seconds until the money is there. */
const settling: Record<PayableMethod, number> = {
  PIX: 0,
  BOLETO: day,
  DEBIT_CARD: 3 * day,
  CREDIT_CARD: 32 * day,
}
/** Where slips are due: days end there. */
const timeZone = 'America/Sao_Paulo'

export function isPayable({ status }: Pick<SandboxPayment, 'status'>): boolean {
  return status === 'PENDING' || status === 'OVERDUE'
}

/** With what it may be paid: the payer chooses where the order did not. */
export function methodsOf({ method }: Pick<SandboxPayment, 'method'>): PayableMethod[] {
  if (method === 'UNDEFINED') return ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD']
  // As with a real gateway: every slip has a PIX code too.
  return method === 'BOLETO' ? ['BOLETO', 'PIX'] : [method]
}

/** Undefined: the card was refused, and nothing changes. */
export function statusWhenPaid(method: PayableMethod, card: Card | null): PaymentStatus | undefined {
  if (method === 'PIX') return 'RECEIVED'
  switch (card?.fate) {
    case 'refused':
      return undefined
    case 'review approved':
    case 'review refused':
      return 'AWAITING_RISK_ANALYSIS'
    default:
      return 'CONFIRMED'
  }
}

const actions: Record<PayerAction, { from: PaymentStatus[]; to: PaymentStatus }> = {
  expire: { from: ['PENDING'], to: 'OVERDUE' },
  approve: { from: ['AWAITING_RISK_ANALYSIS'], to: 'CONFIRMED' },
  reprove: { from: ['AWAITING_RISK_ANALYSIS'], to: 'PENDING' },
  refund: { from: ['CONFIRMED', 'RECEIVED'], to: 'REFUNDED' },
  dispute: { from: ['CHARGEBACK_REQUESTED'], to: 'CHARGEBACK_DISPUTE' },
  concede: { from: ['CHARGEBACK_REQUESTED'], to: 'REFUNDED' },
  win: { from: ['CHARGEBACK_DISPUTE'], to: 'AWAITING_CHARGEBACK_REVERSAL' },
  lose: { from: ['CHARGEBACK_DISPUTE'], to: 'REFUNDED' },
}

export function actionsFor({ status }: Pick<SandboxPayment, 'status'>): PayerAction[] {
  return (Object.keys(actions) as PayerAction[]).filter((action) => actions[action].from.includes(status))
}

/** Undefined: not from where it stands. */
export function statusAfter(
  action: PayerAction,
  { status, paidWith }: SandboxPayment,
): PaymentStatus | undefined {
  const { from, to } = actions[action]
  if (!from.includes(status)) return undefined
  return action === 'refund' && paidWith === 'BOLETO' ? 'REFUND_REQUESTED' : to
}

export function begin(dueDate: string): Pick<Step, 'status' | 'next'> {
  // Overdue once the day is over.
  const at = startOfDay(plusSeconds(new Date(dueDate), day), timeZone)
  return { status: 'PENDING', next: { status: 'OVERDUE', at } }
}

/** Into a status, with what the clock does from there. */
export function enter(payment: SandboxPayment, status: PaymentStatus, now: Date): Step {
  const { paidWith, dueDate } = payment
  const inAMinute = (next: PaymentStatus) => ({ status: next, at: plusSeconds(now, minute) })
  // Charged back once, and won, it is a card like others.
  const won = status === 'AWAITING_CHARGEBACK_REVERSAL'
  const card = payment.card && won ? { ...payment.card, fate: 'approved' as const } : payment.card
  const step = { status, paidWith, card, next: null }
  switch (status) {
    case 'PENDING':
      return { ...begin(dueDate), paidWith: null, card: null }
    case 'OVERDUE':
      return { status, paidWith: null, card: null, next: null }
    case 'AWAITING_RISK_ANALYSIS':
      return { ...step, next: inAMinute(card?.fate === 'review refused' ? 'PENDING' : 'CONFIRMED') }
    case 'CONFIRMED': {
      if (card?.fate === 'charged back') return { ...step, next: inAMinute('CHARGEBACK_REQUESTED') }
      const wait = paidWith ? settling[paidWith] : 0
      return { ...step, next: { status: 'RECEIVED', at: plusSeconds(now, wait) } }
    }
    case 'REFUND_REQUESTED':
      return { ...step, next: inAMinute('REFUNDED') }
    case 'AWAITING_CHARGEBACK_REVERSAL':
      return { ...step, next: inAMinute('CONFIRMED') }
    default:
      return step
  }
}

/** As a real gateway calls what happened. */
export function eventName(from: PaymentStatus, to: PaymentStatus): string {
  if (to === 'CANCELLED') return 'PAYMENT_DELETED'
  if (to === 'PENDING') return 'PAYMENT_REPROVED_BY_RISK_ANALYSIS'
  if (from === 'AWAITING_RISK_ANALYSIS') return 'PAYMENT_APPROVED_BY_RISK_ANALYSIS'
  return `PAYMENT_${to}`
}
