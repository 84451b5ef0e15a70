/**
 * The gateway Asaas. Making something there has no idempotency key: before making, and whenever it is unknown whether
 * something was made, it is looked for by our reference.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Answer, Failure, Order, Payment, PaymentGateway } from '../port.ts'
import { type ClientSettings, createAsaasClient, isRecord, type Outcome } from './client.ts'
import { readEvent, readPayment, writeCustomer, writeOrder } from './wire.ts'

type Settings = ClientSettings & {
  /** What Asaas shows at our webhook; it has no other proof. */
  webhookToken: string
}

const maxPolledAtOnce = 5

export function createAsaasGateway({ webhookToken, ...settings }: Settings): PaymentGateway {
  const { ask, close } = createAsaasClient(settings)
  const expectedToken = hash('sha256', webhookToken, 'buffer')

  /** The one that has our reference, if any has; deleted ones are gone. */
  async function lookUp(kind: 'customers' | 'payments', reference: string) {
    const path = `/${kind}?externalReference=${encodeURIComponent(reference)}&limit=10`
    const outcome = await ask('GET', path)
    if (outcome.is !== 'answered') return failure(outcome, 'reading')
    const { data } = outcome.body
    if (!Array.isArray(data)) return lost('the list has no data')
    // Whether they leave out deleted ones, and filter at all, is looked at again.
    const found = data.filter(isRecord).find((one) => one.externalReference === reference && !one.deleted)
    return { ok: true as const, found }
  }

  /** Looks first, makes, and looks again where nobody knows what became of it. */
  async function makeOnce(kind: 'customers' | 'payments', reference: string, body: unknown) {
    const before = await lookUp(kind, reference)
    if (!before.ok || before.found) return { ...before, isNew: false }
    const outcome = await ask('POST', `/${kind}`, body)
    if (outcome.is === 'answered') return { ok: true as const, found: outcome.body, isNew: true }
    const made = outcome.is === 'lost' ? await lookUp(kind, reference) : undefined
    if (made?.ok && made.found) return { ...made, isNew: true }
    return failure(outcome, 'making')
  }

  const update = (customerId: string, body: unknown) =>
    ask('PUT', `/customers/${encodeURIComponent(customerId)}`, body)

  async function read(paymentId: string): Promise<Answer<{ payment: Payment | undefined }>> {
    const outcome = await ask('GET', `/payments/${encodeURIComponent(paymentId)}`)
    if (outcome.is === 'absent') return { ok: true, payment: undefined }
    if (outcome.is !== 'answered') return failure(outcome, 'reading')
    return understood(outcome.body)
  }

  function understood(body: unknown): Answer<{ payment: Payment }> {
    const payment = readPayment(body)
    return payment ? { ok: true, payment } : lost('the payment cannot be read')
  }

  /** The codes the payer needs are asked for apart, and change when the charge does. Without them it is still good. */
  async function withCodes(payment: Payment, method = payment.method): Promise<Payment> {
    if (!isOpen(payment)) return payment
    const path = `/payments/${encodeURIComponent(payment.paymentId)}`
    if (method === 'PIX') {
      const outcome = await ask('GET', `${path}/pixQrCode`)
      const code = outcome.is === 'answered' ? outcome.body.payload : undefined
      return typeof code === 'string' ? { ...payment, pixCode: code } : payment
    }
    if (method !== 'BOLETO' && method !== 'UNDEFINED') return payment
    const outcome = await ask('GET', `${path}/identificationField`)
    const line = outcome.is === 'answered' ? outcome.body.identificationField : undefined
    return typeof line === 'string' ? { ...payment, paymentCode: line } : payment
  }

  return {
    name: 'asaas',
    needsCustomer: true,

    async putCustomer(customer) {
      const body = writeCustomer(customer)
      let customerId: unknown = customer.customerId
      if (customerId !== undefined) {
        const outcome = await update(String(customerId), body)
        // Removed by hand over there: made anew.
        if (outcome.is !== 'absent') return kept(String(customerId), outcome)
      }
      const made = await makeOnce('customers', customer.reference, body)
      if (!made.ok) return made
      customerId = made.found?.id
      if (typeof customerId !== 'string') return lost('the customer has no id')
      // One found by its reference may be older than what we know now.
      return made.isNew ? { ok: true, customerId } : kept(customerId, await update(customerId, body))
    },

    async order(order: Order) {
      const made = await makeOnce('payments', order.reference, writeOrder(order))
      if (!made.ok) return made
      const answer = understood(made.found)
      if (!answer.ok) return answer
      const payment = await withCodes(answer.payment, order.method)
      // Theirs for a debit card is a credit card until it is paid.
      return {
        ok: true,
        payment: payment.status === 'PENDING' ? { ...payment, method: order.method } : payment,
      }
    },

    async find(by) {
      const answer = 'paymentId' in by ? await read(by.paymentId) : await findByReference(by.reference)
      if (!answer.ok || !answer.payment) return answer
      return { ok: true, payment: await withCodes(answer.payment) }
    },

    async cancel(paymentId) {
      const before = await read(paymentId)
      if (!before.ok) return before
      const { payment } = before
      if (!payment) return { ok: false, why: 'refused', reason: 'there is no such payment' }
      if (!isOpen(payment)) return { ok: true, payment }
      const outcome = await ask('DELETE', `/payments/${encodeURIComponent(paymentId)}`)
      if (outcome.is === 'answered') return { ok: true, payment: { ...payment, status: 'CANCELLED' } }
      // Paid a moment ago, it is refused; lost, it may have been done: how it stands now is the answer.
      const now = outcome.is === 'refused' || outcome.is === 'lost' ? await read(paymentId) : undefined
      if (now?.ok && now.payment && !isOpen(now.payment)) return { ok: true, payment: now.payment }
      return failure(outcome, 'making')
    },

    async refund(paymentId) {
      const outcome = await ask('POST', `/payments/${encodeURIComponent(paymentId)}/refund`, {})
      if (outcome.is === 'answered') return understood(outcome.body)
      if (outcome.is !== 'lost' && outcome.is !== 'refused') return failure(outcome, 'making')
      // Refunded by a try before, it is refused now.
      const now = await read(paymentId)
      if (now.ok && now.payment?.status.startsWith('REFUND')) return { ok: true, payment: now.payment }
      return failure(outcome, 'making')
    },

    readWebhook({ headers, body }) {
      const given = headers['asaas-access-token']
      const isTheirs = timingSafeEqual(hash('sha256', String(given ?? ''), 'buffer'), expectedToken)
      return isTheirs && typeof given === 'string' ? readEvent(body) : 'forbidden'
    },

    async poll(paymentIds) {
      const found: Payment[] = []
      const rest = [...paymentIds]
      async function lane() {
        for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
          const answer = await read(id)
          if (answer.ok && answer.payment) found.push(answer.payment)
          // Asking on would only use up what we may ask in twelve hours.
          if (!answer.ok && answer.why === 'unavailable') rest.length = 0
        }
      }
      await Promise.all(Array.from({ length: maxPolledAtOnce }, lane))
      return found
    },

    close,
  }

  async function findByReference(reference: string): Promise<Answer<{ payment: Payment | undefined }>> {
    const answer = await lookUp('payments', reference)
    if (!answer.ok) return answer
    return answer.found ? understood(answer.found) : { ok: true, payment: undefined }
  }
}

function isOpen({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'OVERDUE'
}

function kept(customerId: string, outcome: Outcome): Answer<{ customerId: string }> {
  return outcome.is === 'answered' ? { ok: true, customerId } : failure(outcome, 'making')
}

function lost(reason: string): Failure {
  return { ok: false, why: 'unknown', reason }
}

/** A reading that is lost did nothing there: it may simply be done again. */
function failure(outcome: Outcome, doing: 'reading' | 'making'): Failure {
  if (outcome.is === 'answered') return lost('the answer cannot be read')
  const reason = outcome.problem
  if (outcome.is === 'lost') return { ok: false, why: doing === 'making' ? 'unknown' : 'unavailable', reason }
  if (outcome.is === 'refused' || outcome.is === 'absent') return { ok: false, why: 'refused', reason }
  return { ok: false, why: 'unavailable', reason }
}
