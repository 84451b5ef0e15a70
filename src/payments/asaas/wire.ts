/** Payments and customers in the format of Asaas. Unknown fields are ignored, since Asaas adds fields over time. */
import { type Centavos, roundToCentavos, toReais } from '../../kit/text/money.ts'
import type { Customer, Order, Payment, PaymentEvent, PaymentMethod, PaymentStatus } from '../port.ts'
import { isRecord } from './client.ts'

type Wire = Record<string, unknown>

/** D31: Asaas's statuses. Payment in cash or through a credit bureau (dunning) also counts as received. */
const statuses: Record<string, PaymentStatus> = {
  PENDING: 'PENDING',
  AWAITING_RISK_ANALYSIS: 'AWAITING_RISK_ANALYSIS',
  AUTHORIZED: 'AUTHORIZED',
  CONFIRMED: 'CONFIRMED',
  RECEIVED: 'RECEIVED',
  RECEIVED_IN_CASH: 'RECEIVED',
  DUNNING_RECEIVED: 'RECEIVED',
  OVERDUE: 'OVERDUE',
  DUNNING_REQUESTED: 'OVERDUE',
  REFUND_REQUESTED: 'REFUND_REQUESTED',
  REFUND_IN_PROGRESS: 'REFUND_IN_PROGRESS',
  REFUNDED: 'REFUNDED',
  CHARGEBACK_REQUESTED: 'CHARGEBACK_REQUESTED',
  CHARGEBACK_DISPUTE: 'CHARGEBACK_DISPUTE',
  AWAITING_CHARGEBACK_REVERSAL: 'AWAITING_CHARGEBACK_REVERSAL',
}

const methods: Record<string, PaymentMethod> = {
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CREDIT_CARD',
  DEBIT_CARD: 'DEBIT_CARD',
  PIX: 'PIX',
}

/** Undefined if a required field is missing. */
export function readPayment(wire: unknown): Payment | undefined {
  if (!isRecord(wire)) return undefined
  const status = wire.deleted === true ? 'CANCELLED' : statuses[String(wire.status)]
  const amount = centavos(wire.value)
  const { id, dueDate } = wire
  if (typeof id !== 'string' || !status || amount === undefined || typeof dueDate !== 'string') {
    return undefined
  }
  const link = text(wire.invoiceUrl) ?? ''
  const invoiceId = text(wire.invoiceNumber)
  return {
    paymentId: id,
    reference: text(wire.externalReference),
    status,
    method: methods[String(wire.billingType)] ?? 'UNDEFINED',
    amount,
    fee: Math.max(0, amount - (centavos(wire.netValue) ?? amount)),
    refunded: status === 'REFUNDED' ? amount : sumRefunds(wire.refunds),
    dueDate,
    paymentLink: link,
    ...(invoiceId && { invoiceId }),
    ...(link && { invoiceLink: link }),
  }
}

/** The sum of partial refunds. */
function sumRefunds(refunds: unknown): Centavos {
  const done = Array.isArray(refunds) ? refunds.filter((one) => isRecord(one) && one.status === 'DONE') : []
  return done.reduce((sum: number, { value }: Wire) => sum + (centavos(value) ?? 0), 0)
}

/** A debit card cannot be ordered: the payment page of Asaas offers it together with the credit card. */
export function writeOrder({ method, ...order }: Order): Wire {
  return {
    customer: order.customerId,
    billingType: method === 'DEBIT_CARD' ? 'CREDIT_CARD' : method,
    value: toReais(order.amount),
    dueDate: order.dueDate,
    description: order.description.slice(0, 500),
    externalReference: order.reference,
  }
}

/** Undefined fields are left out of the JSON. Asaas calls the neighbourhood "province". */
export function writeCustomer(customer: Customer): Wire {
  return {
    name: customer.name,
    cpfCnpj: customer.taxId,
    email: customer.email,
    phone: customer.phone,
    mobilePhone: customer.mobilePhone,
    company: customer.company,
    additionalEmails: customer.additionalEmails?.join(','),
    address: customer.address,
    addressNumber: customer.addressNumber,
    complement: customer.addressComplement?.slice(0, 255),
    province: customer.addressDistrict,
    postalCode: customer.addressZipCode,
    externalReference: customer.reference,
  }
}

/** Events that do not change the payment. */
const irrelevant = /^PAYMENT_(BANK_SLIP_VIEWED|CHECKOUT_VIEWED|SPLIT_|ANTICIPATED)/

export function readEvent(body: string): { event: PaymentEvent } | 'ignored' | 'malformed' {
  let wire: unknown
  try {
    wire = JSON.parse(body)
  } catch {
    return 'malformed'
  }
  if (!isRecord(wire) || typeof wire.id !== 'string' || typeof wire.event !== 'string') return 'malformed'
  const payment = readPayment(wire.payment)
  // Asaas reports every payment of its account; ours have a reference.
  if (!wire.event.startsWith('PAYMENT_') || irrelevant.test(wire.event) || !payment?.reference)
    return 'ignored'
  return { event: { eventId: wire.id, type: wire.event, at: readTime(wire.dateCreated), payment } }
}

/** Asaas writes the time of Brasília, which has had a fixed offset since 2019. */
function readTime(value: unknown): Date {
  const time = new Date(`${String(value).trim().replace(' ', 'T')}-03:00`)
  return Number.isNaN(time.getTime()) ? new Date() : time
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function centavos(value: unknown): Centavos | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? roundToCentavos(value) : undefined
}
