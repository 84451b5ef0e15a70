/** A payment gateway in memory: payers act as the test says, and no event is sent unless the test sends it. */
import type {
  Customer,
  Failure,
  Order,
  Payment,
  PaymentEvent,
  PaymentGateway,
  PaymentStatus,
} from '../../payments/port.ts'

type Trouble = Failure['why'] | 'lost answer'

export function createFakeGateway({ needsCustomer = false }: { needsCustomer?: boolean } = {}) {
  const payments = new Map<string, Payment>()
  const customers: Customer[] = []
  const orders: Order[] = []
  let trouble: Trouble | undefined
  let events = 0
  /** Runs while a request is in progress. */
  let beforeAnswer = async () => {}

  const failure = (): Failure | undefined =>
    trouble === undefined || trouble === 'lost answer'
      ? undefined
      : { ok: false, why: trouble, reason: 'as the test wants' }
  const byReference = (reference: string) => [...payments.values()].find((one) => one.reference === reference)

  function make({ reference, method, amount, dueDate }: Order): Payment {
    const paymentId = `pay_${payments.size + 1}`
    const paymentLink = `https://pay.example/${paymentId}`
    const isFree = method === 'UNDEFINED'
    const paymentCode =
      method === 'BOLETO' || isFree ? '46191234506789012345767890123457116370000012345' : undefined
    const pixCode = method === 'PIX' || isFree ? `000201-pix-${reference}-6304ABCD` : undefined
    const made: Payment = {
      paymentId,
      reference,
      status: 'PENDING',
      method,
      amount,
      fee: 199,
      refunded: 0,
      dueDate,
      paymentLink,
      ...(paymentCode && { paymentCode }),
      ...(pixCode && { pixCode }),
      invoiceId: String(payments.size + 1),
      invoiceLink: paymentLink,
    }
    payments.set(paymentId, made)
    return made
  }

  const gateway: PaymentGateway = {
    name: 'sandbox',
    needsCustomer,
    async putCustomer(customer) {
      customers.push(customer)
      return failure() ?? { ok: true, customerId: customer.customerId ?? `cus_${customers.length}` }
    },
    async order(order) {
      orders.push(order)
      await beforeAnswer()
      const failed = failure()
      if (failed) return failed
      const payment = byReference(order.reference) ?? make(order)
      return trouble === 'lost answer'
        ? { ok: false, why: 'unknown', reason: 'no answer' }
        : { ok: true, payment }
    },
    async find(by) {
      const payment = 'paymentId' in by ? payments.get(by.paymentId) : byReference(by.reference)
      await beforeAnswer()
      return failure() ?? { ok: true, payment }
    },
    async cancel(paymentId) {
      const before = payments.get(paymentId)
      await beforeAnswer()
      const payment = payments.get(paymentId)
      if (!payment || !before) return { ok: false, why: 'refused', reason: 'no such payment' }
      const failed = failure()
      if (failed) return failed
      const open = payment.status === 'PENDING' || payment.status === 'OVERDUE'
      return { ok: true, payment: open ? set(paymentId, 'CANCELLED') : payment }
    },
    async refund(paymentId) {
      return failure() ?? { ok: true, payment: set(paymentId, 'REFUNDED') }
    },
    readWebhook: () => 'ignored',
    async poll(ids) {
      const answer = trouble ? [] : ids.flatMap((id) => payments.get(id) ?? [])
      await beforeAnswer()
      return answer
    },
    close: async () => {},
  }

  /** Changes the payment at the gateway, without an event. */
  function set(paymentId: string, status: PaymentStatus, change: Partial<Payment> = {}): Payment {
    const payment = payments.get(paymentId)
    if (!payment) throw new Error(`no payment ${paymentId}`)
    const changed = {
      ...payment,
      status,
      ...(status === 'REFUNDED' && { refunded: payment.amount }),
      ...change,
    }
    payments.set(paymentId, changed)
    return changed
  }

  /** Changes the payment and returns the event that the gateway would send. */
  function eventOf(paymentId: string, status: PaymentStatus, change: Partial<Payment> = {}): PaymentEvent {
    events += 1
    const payment = set(paymentId, status, change)
    return { eventId: `evt_${events}`, type: `PAYMENT_${status}`, at: new Date(), payment }
  }

  return {
    ...gateway,
    customers,
    orders,
    payments,
    set,
    eventOf,
    failWith(next: Trouble | undefined) {
      trouble = next
    },
    /** Runs the work once, during the next request. */
    duringNextRequest(work: () => Promise<void>) {
      beforeAnswer = async () => {
        beforeAnswer = async () => {}
        await work()
      }
    },
  }
}
