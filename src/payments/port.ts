/**
 * The payment port: all that other modules know of payment gateways. A gateway makes a payment for each order, shows it
 * to the payer at a link, and reports by webhook what happens to it.
 */
import type { Centavos } from '../kit/text/money.ts'

/** D30: the gateways there are. */
type GatewayName = 'sandbox' | 'asaas'

export type PaymentMethod = 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'

/** D31: the statuses of a payment; which moves between them a charge allows is the charge's rule. */
export type PaymentStatus =
  | 'PENDING'
  | 'AWAITING_RISK_ANALYSIS'
  | 'AUTHORIZED'
  | 'CONFIRMED'
  | 'RECEIVED'
  | 'OVERDUE'
  | 'REFUND_REQUESTED'
  | 'REFUND_IN_PROGRESS'
  | 'REFUNDED'
  | 'CHARGEBACK_REQUESTED'
  | 'CHARGEBACK_DISPUTE'
  | 'AWAITING_CHARGEBACK_REVERSAL'
  | 'CANCELLED'

/** The payer. With `customerId` the gateway's record is updated. */
export type Customer = {
  customerId?: string
  /** Ours, the same in every retry: the account's uuid. */
  reference: string
  name: string
  /** Normalised: without mask, letters in upper case. */
  taxId: string
  email?: string
  phone?: string
  mobilePhone?: string
  company?: string
  additionalEmails?: string[]
  address?: string
  addressNumber?: string
  addressComplement?: string
  /** The neighbourhood. */
  addressDistrict?: string
  addressZipCode?: string
}

export type Order = {
  /** Ours, the same in every retry: unique to one charge, even if two installations share an account of the gateway. */
  reference: string
  /** Required if the gateway needs a customer (`needsCustomer`). */
  customerId?: string
  /** Shown to the payer; some gateways ignore it. */
  payerName?: string
  method: PaymentMethod
  /** YYYY-MM-DD */
  dueDate: string
  amount: Centavos
  description: string
}

/** A payment as the gateway has it. */
export type Payment = {
  paymentId: string
  /** The order's; undefined for a payment that we did not order. */
  reference: string | undefined
  status: PaymentStatus
  /** Once paid, the method used; until then the method ordered, or the gateway's substitute for it. */
  method: PaymentMethod
  amount: Centavos
  /** What the gateway deducts. */
  fee: Centavos
  /** The total refunded to the payer. */
  refunded: Centavos
  dueDate: string
  paymentLink: string
  /** The bank slip's digitable line. */
  paymentCode?: string
  /** PIX: what the payer copies into their bank's application. */
  pixCode?: string
  invoiceId?: string
  invoiceLink?: string
}

/** A change of a payment, delivered at least once and in any order. */
export type PaymentEvent = {
  /** The same in every delivery of the event. */
  eventId: string
  /** The gateway's own name of the event, for people to read. */
  type: string
  at: Date
  payment: Payment
}

/**
 * Why a request failed.
 * refused: the gateway rejected it; nothing was done, and a retry is useless.
 * unavailable: nothing was done; a retry may succeed.
 * unknown: it may or may not have been done; `find` shows which.
 */
export type Failure = { ok: false; why: 'refused' | 'unavailable' | 'unknown'; reason: string }

export type Answer<T> = ({ ok: true } & T) | Failure

/** A request to our webhook: header names in lower case, the body unparsed. */
export type WebhookRequest = { headers: Record<string, string | string[] | undefined>; body: string }

/** `ignored`: genuine, but of no concern to us. */
type WebhookReading = { event: PaymentEvent } | 'ignored' | 'forbidden' | 'malformed'

export type PaymentGateway = {
  name: GatewayName
  /** D36: whether an order must name a customer. */
  needsCustomer: boolean
  /** Creates or updates; idempotent by reference. */
  putCustomer(customer: Customer): Promise<Answer<{ customerId: string }>>
  /** Idempotent by reference. */
  order(order: Order): Promise<Answer<{ payment: Payment }>>
  find(by: { reference: string } | { paymentId: string }): Promise<Answer<{ payment: Payment | undefined }>>
  /** Returns the payment as it is afterwards: CANCELLED, or, for example, paid before the cancellation. */
  cancel(paymentId: string): Promise<Answer<{ payment: Payment }>>
  /** Refunds the whole amount. Returns the payment as it is afterwards: REFUNDED, or still in progress. */
  refund(paymentId: string): Promise<Answer<{ payment: Payment }>>
  /** Verifies and parses a request to our webhook. */
  readWebhook(request: WebhookRequest): WebhookReading
  /** Returns the payments as they are now; those that could not be read are missing. */
  poll(paymentIds: string[]): Promise<Payment[]>
  close(): Promise<void>
}

/** Stores an event: once it resolves, the gateway is answered 200 and does not send the event again. */
export type OnPaymentEvent = (event: PaymentEvent) => Promise<void>
