/** A service whose payment gateway is controlled by the test. */
import { createFakeGateway } from '../../../src/billing/testing/fake-gateway.ts'
import type { PaymentStatus } from '../../../src/payments/port.ts'
import { type Service, startService } from './service.ts'

export async function startMoneyService(settings: Record<string, string> = {}, needsCustomer = false) {
  const gateway = createFakeGateway({ needsCustomer })
  const service = await startService(settings, { gateway })
  const { reconciliation } = service.app.services.money

  /** Moves the payment at the gateway, and delivers the events. */
  async function movePayment(paymentId: string, ...statuses: PaymentStatus[]) {
    for (const status of statuses) {
      await reconciliation.receive(gateway.eventOf(paymentId, status))
      await reconciliation.tick()
    }
  }
  /** Delivers an event of a status that the payment has left. */
  async function deliverLate(paymentId: string, status: PaymentStatus) {
    const now = gateway.payments.get(paymentId)
    if (!now) throw new Error(`no payment ${paymentId}`)
    const payment = { ...now, status }
    await reconciliation.receive({
      eventId: `late_${paymentId}_${status}`,
      type: `PAYMENT_${status}`,
      at: new Date(0),
      payment,
    })
    await reconciliation.tick()
  }
  return { ...service, gateway, reconciliation, movePayment, deliverLate }
}
export type MoneyService = Awaited<ReturnType<typeof startMoneyService>>

/** Pays a charge at the payment page of the sandbox. */
export async function payAtSandbox(paymentLink: string, fetch = globalThis.fetch) {
  const body = new URLSearchParams({ do: 'pay', method: 'PIX' })
  const { status } = await fetch(paymentLink, { method: 'POST', body, redirect: 'manual' })
  if (status !== 303) throw new Error(`the payment page answered ${status}`)
}

/** The events of the sandbox gateway are sent to the service, which follows them. */
export async function followPayments({ tickNext }: Pick<Service, 'tickNext'>) {
  await tickNext('sandbox payments')
  await tickNext('payments')
}

/** The ledger has so many calls of one centavo each, with the references test:0, test:1 and so on. */
export const chargeForCalls = ({ app, db }: Pick<Service, 'app' | 'db'>, accountId: number, count: number) =>
  db.transaction().execute((tx) =>
    app.services.money.ledger.post(tx, {
      entries: Array.from({ length: count }, (_, n) => ({
        accountId,
        kind: 'call' as const,
        amount: -1,
        reference: `test:${n}`,
        description: 'Call to 5548999998888',
      })),
    }),
  )

export const pix = { paymentMethod: 'PIX', dueDate: '2026-11-18', amount: 100, description: 'Novembro' }

/** Spec §2.2: what the answer to a new charge has. */
export const creationFields = [
  'id',
  'userId',
  'organizationId',
  'gateway',
  'type',
  'paymentMethod',
  'paymentId',
  'paymentLink',
  'pixCode',
  'dueDate',
  'amount',
  'totalAmount',
  'description',
  'status',
  'statusUpdatedAt',
  'createdAt',
  'metadata',
]

/** All fields of a charge. */
export const chargeFields = [
  ...creationFields,
  'paymentCode',
  'invoiceId',
  'invoiceLink',
  'taxAmount',
  'paidAt',
  'refundedAt',
  'receivedAt',
  'hasErpInvoice',
]
