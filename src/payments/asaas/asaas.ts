/**
 * The gateway Asaas. Its API has no idempotency keys: before creating something, and whenever a creation may have been
 * lost, we search by our reference.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Answer, Failure, Order, Payment, PaymentGateway } from '../port.ts'
import { type AsaasResult, type ClientSettings, createAsaasClient, isRecord } from './client.ts'
import { readEvent, readPayment, writeCustomer, writeOrder } from './wire.ts'

type Settings = ClientSettings & {
  /** Sent by Asaas to our webhook as its only proof of origin. */
  webhookToken: string
}

const maxPolledAtOnce = 5

export function createAsaasGateway({ webhookToken, ...settings }: Settings): PaymentGateway {
  const { request, close } = createAsaasClient(settings)
  const expectedToken = hash('sha256', webhookToken, 'buffer')

  /** Finds what has our reference and is not deleted. */
  async function lookUp(kind: 'customers' | 'payments', reference: string) {
    const path = `/${kind}?externalReference=${encodeURIComponent(reference)}&limit=10`
    const result = await request('GET', path)
    if (result.is !== 'answered') return failure(result, 'read')
    const { data } = result.body
    if (!Array.isArray(data)) return lost('the list has no data')
    // Do not rely on Asaas to filter the list and to leave out what was deleted.
    const found = data.filter(isRecord).find((one) => one.externalReference === reference && !one.deleted)
    return { ok: true as const, found }
  }

  /** Searches, creates, and searches again if the result was lost. */
  async function createOnce(kind: 'customers' | 'payments', reference: string, body: unknown) {
    const before = await lookUp(kind, reference)
    if (!before.ok || before.found) return { ...before, isNew: false }
    const result = await request('POST', `/${kind}`, body)
    if (result.is === 'answered') return { ok: true as const, found: result.body, isNew: true }
    const made = result.is === 'lost' ? await lookUp(kind, reference) : undefined
    if (made?.ok && made.found) return { ...made, isNew: true }
    return failure(result, 'write')
  }

  const update = (customerId: string, body: unknown) =>
    request('PUT', `/customers/${encodeURIComponent(customerId)}`, body)

  async function read(paymentId: string): Promise<Answer<{ payment: Payment | undefined }>> {
    const result = await request('GET', `/payments/${encodeURIComponent(paymentId)}`)
    if (result.is === 'absent') return { ok: true, payment: undefined }
    if (result.is !== 'answered') return failure(result, 'read')
    return parsePayment(result.body)
  }

  function parsePayment(body: unknown): Answer<{ payment: Payment }> {
    const payment = readPayment(body)
    return payment ? { ok: true, payment } : lost('the payment cannot be read')
  }

  /** Adds the payer's codes, each of which needs a request of its own. A payment without it is still valid. */
  async function withCodes(payment: Payment, method = payment.method): Promise<Payment> {
    if (!isOpen(payment)) return payment
    const isFree = method === 'UNDEFINED'
    const [pixCode, paymentCode] = await Promise.all([
      method === 'PIX' || isFree ? readCode(payment, 'pixQrCode', 'payload') : undefined,
      method === 'BOLETO' || isFree
        ? readCode(payment, 'identificationField', 'identificationField')
        : undefined,
    ])
    return { ...payment, ...(pixCode && { pixCode }), ...(paymentCode && { paymentCode }) }
  }

  async function readCode({ paymentId }: Payment, resource: string, field: string) {
    const result = await request('GET', `/payments/${encodeURIComponent(paymentId)}/${resource}`)
    const code = result.is === 'answered' ? result.body[field] : undefined
    return typeof code === 'string' && code !== '' ? code : undefined
  }

  return {
    name: 'asaas',
    needsCustomer: true,

    async putCustomer(customer) {
      const body = writeCustomer(customer)
      let customerId: unknown = customer.customerId
      if (customerId !== undefined) {
        const result = await update(String(customerId), body)
        // Deleted by hand at Asaas: created again.
        if (result.is !== 'absent') return kept(String(customerId), result)
      }
      const made = await createOnce('customers', customer.reference, body)
      if (!made.ok) return made
      customerId = made.found?.id
      if (typeof customerId !== 'string') return lost('the customer has no id')
      // A customer found by reference may be out of date.
      return made.isNew ? { ok: true, customerId } : kept(customerId, await update(customerId, body))
    },

    async order(order: Order) {
      const made = await createOnce('payments', order.reference, writeOrder(order))
      if (!made.ok) return made
      const answer = parsePayment(made.found)
      if (!answer.ok) return answer
      const payment = await withCodes(answer.payment, order.method)
      // Asaas calls a debit card a credit card until it is paid.
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
      const result = await request('DELETE', `/payments/${encodeURIComponent(paymentId)}`)
      if (result.is === 'answered') return { ok: true, payment: { ...payment, status: 'CANCELLED' } }
      // Refused because paid a moment ago, or lost but perhaps done: the payment's status decides.
      const now = result.is === 'refused' || result.is === 'lost' ? await read(paymentId) : undefined
      if (now?.ok && now.payment && !isOpen(now.payment)) return { ok: true, payment: now.payment }
      return failure(result, 'write')
    },

    async refund(paymentId) {
      const result = await request('POST', `/payments/${encodeURIComponent(paymentId)}/refund`, {})
      if (result.is === 'answered') return parsePayment(result.body)
      if (result.is !== 'lost' && result.is !== 'refused') return failure(result, 'write')
      // Asaas refuses to refund what an earlier try refunded.
      const now = await read(paymentId)
      if (now.ok && now.payment?.status.startsWith('REFUND')) return { ok: true, payment: now.payment }
      return failure(result, 'write')
    },

    readWebhook({ headers, body }) {
      const given = headers['asaas-access-token']
      const isTheirs = timingSafeEqual(hash('sha256', String(given ?? ''), 'buffer'), expectedToken)
      return isTheirs && typeof given === 'string' ? readEvent(body) : 'forbidden'
    },

    async poll(paymentIds) {
      const found: Payment[] = []
      const rest = [...paymentIds]
      async function worker() {
        for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
          const answer = await read(id)
          if (answer.ok && answer.payment) found.push(answer.payment)
          // More requests would only use up the quota of twelve hours.
          if (!answer.ok && answer.why === 'unavailable') rest.length = 0
        }
      }
      await Promise.all(Array.from({ length: maxPolledAtOnce }, worker))
      return found
    },

    close,
  }

  async function findByReference(reference: string): Promise<Answer<{ payment: Payment | undefined }>> {
    const answer = await lookUp('payments', reference)
    if (!answer.ok) return answer
    return answer.found ? parsePayment(answer.found) : { ok: true, payment: undefined }
  }
}

function isOpen({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'OVERDUE'
}

function kept(customerId: string, result: AsaasResult): Answer<{ customerId: string }> {
  return result.is === 'answered' ? { ok: true, customerId } : failure(result, 'write')
}

function lost(reason: string): Failure {
  return { ok: false, why: 'unknown', reason }
}

/** A lost read changed nothing, so it can be retried. */
function failure(result: AsaasResult, operation: 'read' | 'write'): Failure {
  if (result.is === 'answered') return lost('the answer cannot be read')
  const reason = result.problem
  if (result.is === 'lost')
    return { ok: false, why: operation === 'write' ? 'unknown' : 'unavailable', reason }
  if (result.is === 'refused' || result.is === 'absent') return { ok: false, why: 'refused', reason }
  return { ok: false, why: 'unavailable', reason }
}
