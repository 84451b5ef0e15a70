/**
 * A charge: a top-up that a payer is asked to pay, and that becomes credit when it is paid.
 *
 *   PENDING ◀──▶ OVERDUE               open: an account has at most one open charge (D32)
 *    │  ▲ ▲         │
 *    │  │ └─ AWAITING_RISK_ANALYSIS │ AUTHORIZED
 *    │  (refused)   │    │
 *    ├──────────────┼────┼──▶ CANCELLED ──┐ (paid nevertheless: D33)
 *    ▼              ▼    ▼                ▼
 *   CONFIRMED ──▶ RECEIVED                paid: credited once (D34)
 *    │              │  ▲ ▲
 *    ├──────────────┼──│─┴── REFUND_REQUESTED ──▶ REFUND_IN_PROGRESS ──▶ REFUNDED
 *    └──────────────┴──│──▶ CHARGEBACK_REQUESTED ──▶ CHARGEBACK_DISPUTE ──▶ REFUNDED (lost)
 *                      └─── AWAITING_CHARGEBACK_REVERSAL ◀──┘ (won)
 *
 * A paid charge never becomes PENDING or OVERDUE again, however late an event arrives (D31).
 */

import { type FieldProblems, refuseFields } from '../../contract/errors.ts'
import {
  amountAbove,
  amountBelow,
  type ChargeStatus,
  maxDueDays,
  type PaymentMethod,
} from '../../contract/money/charges.ts'
import { type Document, findProblem } from '../../contract/schema/document.ts'
import { startOfDay } from '../../filter/where/time-zone.ts'
import { type Centavos, toCentavos } from '../../kit/text/money.ts'

export type Charge = {
  id: number
  accountId: number
  userId: number
  description: string
  status: ChargeStatus
  payment: ChargePayment
  money: ChargeMoney
  times: ChargeTimes
  hasErpInvoice: boolean
  metadata: Record<string, unknown>
}

/** The payment at the gateway; null until the gateway has answered, or where it has no such thing. */
type ChargePayment = {
  gateway: string
  method: PaymentMethod
  paymentId: string | null
  /** The line of the bank slip or, of a charge by PIX, the code to copy and paste. */
  code: string | null
  /** D152: the code to copy and paste, also where PIX is one method of several. */
  pixCode: string | null
  link: string | null
  invoiceId: string | null
  invoiceLink: string | null
}

type ChargeMoney = {
  /** The credit asked for. */
  amount: Centavos
  /** What the gateway deducts. */
  fee: Centavos | null
  /** What the payer owes. */
  total: Centavos
  refunded: Centavos
}

type ChargeTimes = {
  dueAt: Date
  createdAt: Date
  statusAt: Date
  paidAt: Date | null
  receivedAt: Date | null
  refundedAt: Date | null
}

const chargeback = ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'] as const
const afterPayment = ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED', chargeback[0]] as const

const goesBack: readonly ChargeStatus[] = [...afterPayment, ...chargeback]

/** D31: the allowed moves. Any other is recorded, but not made. */
const moves: Record<ChargeStatus, readonly ChargeStatus[]> = {
  PENDING: ['AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'CONFIRMED', 'RECEIVED', 'OVERDUE', 'CANCELLED'],
  AWAITING_RISK_ANALYSIS: ['CONFIRMED', 'RECEIVED', 'PENDING', 'CANCELLED'],
  AUTHORIZED: ['CONFIRMED', 'RECEIVED', 'PENDING', 'CANCELLED'],
  OVERDUE: ['CONFIRMED', 'RECEIVED', 'PENDING', 'CANCELLED'],
  CONFIRMED: ['RECEIVED', ...afterPayment],
  RECEIVED: afterPayment,
  REFUND_REQUESTED: ['REFUND_IN_PROGRESS', 'REFUNDED', 'RECEIVED'],
  REFUND_IN_PROGRESS: ['REFUNDED', 'RECEIVED'],
  CHARGEBACK_REQUESTED: ['CHARGEBACK_DISPUTE', 'REFUNDED'],
  CHARGEBACK_DISPUTE: ['AWAITING_CHARGEBACK_REVERSAL', 'REFUNDED'],
  AWAITING_CHARGEBACK_REVERSAL: ['CONFIRMED', 'RECEIVED'],
  // D33: a charge restored at the gateway stays cancelled here, unless it is paid.
  CANCELLED: ['CONFIRMED', 'RECEIVED'],
  REFUNDED: [],
}

export function mayMove(from: ChargeStatus, to: ChargeStatus): boolean {
  return moves[from].includes(to)
}

/** D561: refunds and chargebacks go to and fro between the same statuses, so that the move shows no order of events. */
export function mayBeLate(from: ChargeStatus, to: ChargeStatus): boolean {
  const isRevocable = (status: ChargeStatus) => status !== 'REFUNDED' && goesBack.includes(status)
  return from !== to && (isRevocable(from) || isRevocable(to))
}

/** The moves, fewest first, that lead from our status to the gateway's when events in between were missed. */
export function shortestPath(from: ChargeStatus, to: ChargeStatus): ChargeStatus[] | undefined {
  const paths = new Map<ChargeStatus, ChargeStatus[]>([[from, []]])
  for (const [status, path] of paths) {
    if (status === to) return path
    for (const next of moves[status]) if (!paths.has(next)) paths.set(next, [...path, next])
  }
  return undefined
}

/** D33: only before any payment. */
export function isCancellable(status: ChargeStatus): boolean {
  return status === 'PENDING' || status === 'OVERDUE'
}

/** D34: the first of these statuses grants the credit. */
export function isPaid(status: ChargeStatus): boolean {
  return status === 'CONFIRMED' || status === 'RECEIVED'
}

type Codes = { status: ChargeStatus; payment_method: PaymentMethod } & Record<
  'payment_code' | 'pix_code',
  string | null
>

/** D152: the gateway had no code yet for a payer who still needs one; it is asked again. */
export function lacksCode({ status, payment_method, payment_code, pix_code }: Codes): boolean {
  if (status !== 'PENDING' && status !== 'OVERDUE') return false
  return payment_method === 'PIX' ? pix_code === null : payment_method === 'BOLETO' && payment_code === null
}

/** D35: the time zone of due dates. */
const dueZone = 'America/Sao_Paulo'
const dayMs = 86_400_000

export type ChargeRequest = {
  method: PaymentMethod
  /** YYYY-MM-DD in Brazil. */
  dueDate: string
  /** Reais, as on the wire. */
  amount: number
  description: string
  metadata?: Record<string, unknown>
}

/** What a valid request asks for. */
export type ChargeTerms = {
  method: PaymentMethod
  dueAt: Date
  amount: Centavos
  description: string
  metadata: Document
}

/** Returns the terms of a valid request; refuses any other with all its problems. */
export function readChargeRequest(request: ChargeRequest, now: Date): ChargeTerms {
  const problems: FieldProblems = {}
  const amount = toCentavos(request.amount)
  if (amount === undefined || amount <= amountAbove || amount >= amountBelow) {
    problems.amount = [amountProblem]
  }
  const { method, dueDate } = request
  const today = dateIn(now)
  const day = /^\d{4}-\d{2}-\d{2}$/.test(dueDate) ? Date.parse(`${dueDate}T00:00:00Z`) : Number.NaN
  const ahead = (day - Date.parse(`${today}T00:00:00Z`)) / dayMs
  // Date.parse rolls a day such as 31 February over into the next month.
  const isCalendarDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(dueDate)
  if (!(isCalendarDay && ahead >= 1 && ahead <= maxDueDays)) problems.dueDate = [dueDateProblem]
  const { metadata = {} } = request
  // D153: within the same bounds as that of a call.
  const metadataProblem = findProblem(metadata)
  if (metadataProblem) problems.metadata = [metadataProblem]
  if (amount === undefined || Object.keys(problems).length > 0) throw refuseFields('Charge', problems)
  return {
    method,
    dueAt: startOfDay(new Date(day), dueZone),
    amount,
    description: request.description.trim(),
    metadata,
  }
}

const amountProblem = {
  code: 'range',
  message: {
    en: 'must be more than 5.00 and less than 50000.00, with at most two decimals',
    pt: 'deve ser maior que 5.00 e menor que 50000.00, com no máximo duas casas decimais',
  },
}
const dueDateProblem = {
  code: 'range',
  message: {
    en: `must be a date (YYYY-MM-DD) from tomorrow to ${maxDueDays} days ahead in Brazil`,
    pt: `deve ser uma data (AAAA-MM-DD) de amanhã até ${maxDueDays} dias à frente, no horário de Brasília`,
  },
}

let dateFormat: Intl.DateTimeFormat | undefined

/** The date in Brazil at that moment, YYYY-MM-DD. */
export function dateIn(moment: Date): string {
  // Not at the start: the first format of a process takes 40 ms.
  dateFormat ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: dueZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return dateFormat.format(moment)
}

const minute = 60
const hour = 3600
const day = 86_400

/**
 * How often and for how long, in seconds, the gateway is polled about a charge, in case its webhook event was lost.
 * Statuses that last for days are polled rarely.
 */
const pollSchedule: Partial<Record<ChargeStatus, { every: number; within: number }>> = {
  PENDING: { every: 10 * minute, within: 30 * day },
  AWAITING_RISK_ANALYSIS: { every: 10 * minute, within: 30 * day },
  AUTHORIZED: { every: 10 * minute, within: 30 * day },
  OVERDUE: { every: 6 * hour, within: 90 * day },
  CONFIRMED: { every: 12 * hour, within: 90 * day },
  RECEIVED: { every: day, within: 7 * day },
  CANCELLED: { every: 12 * hour, within: 3 * day },
  ...Object.fromEntries(goesBack.map((status) => [status, { every: 6 * hour, within: 180 * day }])),
  REFUNDED: { every: 0, within: 0 },
}

/** When to poll next; null for never again. */
export function nextPoll(status: ChargeStatus, since: Date, now: Date): Date | null {
  const { every = 0, within = 0 } = pollSchedule[status] ?? {}
  if (every === 0 || now.getTime() - since.getTime() > within * 1000) return null
  return new Date(now.getTime() + every * 1000)
}
