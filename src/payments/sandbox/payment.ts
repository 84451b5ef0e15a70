/**
 * A payment of the sandbox and its moves, made by the payer or by time. They are those of a real gateway, but a move
 * that takes a bank days takes a minute where somebody is waiting at the page.
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
import type { Centavos } from '../../kit/text/money.ts'
import type { PaymentMethod, PaymentStatus } from '../port.ts'
import type { Card } from './cards.ts'

export type PayableMethod = Exclude<PaymentMethod, 'UNDEFINED'>

export type SandboxPayment = {
  id: number
  paymentId: string
  /** The secret in the link: anybody who has it may pay. */
  key: string
  reference: string
  payerName: string | null
  method: PaymentMethod
  paidWith: PayableMethod | null
  /** The card that was charged, or is under review. */
  card: Card | null
  dueDate: string
  amount: Centavos
  description: string
  status: PaymentStatus
  statusAt: Date
  createdAt: Date
}

/** What can be tried out at the payment page. */
export type PayerAction = 'expire' | 'approve' | 'reprove' | 'refund' | 'dispute' | 'concede' | 'win' | 'lose'

/** What changes with a move; `next` is the move that time will make. */
export type PaymentState = {
  status: PaymentStatus
  paidWith: PayableMethod | null
  card: Card | null
  next: { status: PaymentStatus; at: Date } | null
}

const minute = 60
const day = 86_400
/** Seconds from confirmation to receipt of the money. */
const settlementSeconds: Record<PayableMethod, number> = {
  PIX: 0,
  BOLETO: day,
  DEBIT_CARD: 3 * day,
  CREDIT_CARD: 32 * day,
}
/** The time zone of due dates. */
const timeZone = 'America/Sao_Paulo'

export function isPayable({ status }: Pick<SandboxPayment, 'status'>): boolean {
  return status === 'PENDING' || status === 'OVERDUE'
}

/** The methods it may be paid with: the payer chooses if the order did not. */
export function methodsOf({ method }: Pick<SandboxPayment, 'method'>): PayableMethod[] {
  if (method === 'UNDEFINED') return ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD']
  // As at a real gateway, a bank slip can also be paid by PIX.
  return method === 'BOLETO' ? ['BOLETO', 'PIX'] : [method]
}

/** Undefined: the card is refused, and the status stays. */
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

/** Undefined: not allowed from this status. */
export function statusAfter(
  action: PayerAction,
  { status, paidWith }: SandboxPayment,
): PaymentStatus | undefined {
  const { from, to } = actions[action]
  if (!from.includes(status)) return undefined
  return action === 'refund' && paidWith === 'BOLETO' ? 'REFUND_REQUESTED' : to
}

export function initialState(dueDate: string): Pick<PaymentState, 'status' | 'next'> {
  // Overdue when the due date has ended.
  const at = startOfDay(plusSeconds(new Date(dueDate), day), timeZone)
  return { status: 'PENDING', next: { status: 'OVERDUE', at } }
}

/** The state after a move to the status, with the move that time makes from there. */
export function stateIn(payment: SandboxPayment, status: PaymentStatus, now: Date): PaymentState {
  const { paidWith, dueDate } = payment
  const inAMinute = (next: PaymentStatus) => ({ status: next, at: plusSeconds(now, minute) })
  // After a dispute is won, the card is not charged back again.
  const won = status === 'AWAITING_CHARGEBACK_REVERSAL'
  const card = payment.card && won ? { ...payment.card, fate: 'approved' as const } : payment.card
  const state = { status, paidWith, card, next: null }
  switch (status) {
    case 'PENDING':
      return { ...initialState(dueDate), paidWith: null, card: null }
    case 'OVERDUE':
      return { status, paidWith: null, card: null, next: null }
    case 'AWAITING_RISK_ANALYSIS':
      return { ...state, next: inAMinute(card?.fate === 'review refused' ? 'PENDING' : 'CONFIRMED') }
    case 'CONFIRMED': {
      if (card?.fate === 'charged back') return { ...state, next: inAMinute('CHARGEBACK_REQUESTED') }
      const wait = paidWith ? settlementSeconds[paidWith] : 0
      return { ...state, next: { status: 'RECEIVED', at: plusSeconds(now, wait) } }
    }
    case 'REFUND_REQUESTED':
      return { ...state, next: inAMinute('REFUNDED') }
    case 'AWAITING_CHARGEBACK_REVERSAL':
      return { ...state, next: inAMinute('CONFIRMED') }
    default:
      return state
  }
}

/** The event type that a real gateway uses for the move. */
export function eventName(from: PaymentStatus, to: PaymentStatus): string {
  if (to === 'CANCELLED') return 'PAYMENT_DELETED'
  if (to === 'PENDING') return 'PAYMENT_REPROVED_BY_RISK_ANALYSIS'
  if (from === 'AWAITING_RISK_ANALYSIS') return 'PAYMENT_APPROVED_BY_RISK_ANALYSIS'
  return `PAYMENT_${to}`
}
