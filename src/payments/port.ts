/**
 * The payment port: all that the rest of the house knows of those who collect money. A gateway makes a payment
 * for each order, shows it to the payer at a link, and tells by webhook what became of it.
 */
import type { Centavos } from '../kit/money.ts'

/** D30 */
type GatewayName = 'sandbox' | 'asaas'

export type PaymentMethod = 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'

/** D31: what a gateway may say of a payment; which moves are allowed is a rule of the charge, upstairs. */
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

/** Who pays, as the gateway wants to know it. With `customerId` what the gateway keeps is brought up to date. */
export type Customer = {
  customerId?: string
  /** Ours, and the same at every try: the account's uuid. */
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
  /** Ours, and the same at every try: it stands for one charge, also where two houses share a gateway's account. */
  reference: string
  /** Where the gateway needs a customer (`needsCustomer`). */
  customerId?: string
  /** Shown to the payer as the one who pays; not every gateway looks at it. */
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
  /** The order's; of a payment that no order of ours made, undefined. */
  reference: string | undefined
  status: PaymentStatus
  /** The one paid with, once paid; until then the one ordered, or what the gateway has instead of it. */
  method: PaymentMethod
  amount: Centavos
  /** What the gateway keeps of it. */
  fee: Centavos
  /** How much went back to the payer, in all. */
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

/** Something that happened to a payment, told at least once and in any order. */
export type PaymentEvent = {
  /** The same whenever the same event is told again. */
  eventId: string
  /** The gateway's own word for what happened; for people to read. */
  type: string
  at: Date
  payment: Payment
}

/**
 * Why a wish was not fulfilled.
 * refused: the gateway understood and said no; nothing was done, and asking again is no use.
 * unavailable: nothing was done; the same may succeed later.
 * unknown: it may have been done or not: ask `find` before believing either.
 */
export type Failure = { ok: false; why: 'refused' | 'unavailable' | 'unknown'; reason: string }

export type Answer<T> = ({ ok: true } & T) | Failure

/** Header names in lower case, as Node gives them; the body as it came. */
export type Incoming = { headers: Record<string, string | string[] | undefined>; body: string }

/** Ignored: truly from the gateway, and nothing that concerns us. */
type Heard = { event: PaymentEvent } | 'ignored' | 'forbidden' | 'malformed'

export type PaymentGateway = {
  name: GatewayName
  /** D36: whether an order must name a customer. */
  needsCustomer: boolean
  /** Made at the first time, brought up to date after; asked twice with one reference, there is one customer. */
  putCustomer(customer: Customer): Promise<Answer<{ customerId: string }>>
  /** Asked twice with one reference, there is one payment. */
  order(order: Order): Promise<Answer<{ payment: Payment }>>
  find(by: { reference: string } | { paymentId: string }): Promise<Answer<{ payment: Payment | undefined }>>
  /** The payment as it stands then: CANCELLED, or what kept it from being so (a payment that came first). */
  cancel(paymentId: string): Promise<Answer<{ payment: Payment }>>
  /** All of it. The payment as it stands then: REFUNDED, or on its way there. */
  refund(paymentId: string): Promise<Answer<{ payment: Payment }>>
  /** What the gateway's call to our webhook says, if it is the gateway's. */
  readWebhook(incoming: Incoming): Heard
  /** How these stand now, for those that could be asked. */
  poll(paymentIds: string[]): Promise<Payment[]>
  close(): Promise<void>
}

/** Stores an event: once it resolves, the gateway is answered 200 and does not send the event again. */
export type OnPaymentEvent = (event: PaymentEvent) => Promise<void>
