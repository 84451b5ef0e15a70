/** A service whose payment gateway does what the test says. */
import { createFakeGateway } from '../../src/billing/testing/fake-gateway.ts'
import type { PaymentStatus } from '../../src/payments/port.ts'
import { startService } from './service.ts'

export async function startMoneyService(settings: Record<string, string> = {}, needsCustomer = false) {
  const gateway = createFakeGateway({ needsCustomer })
  const service = await startService(settings, { gateway })
  const { reconciliation } = service.app.rooms

  /** It happens at the gateway, which tells us. */
  async function happens(paymentId: string, ...statuses: PaymentStatus[]) {
    for (const status of statuses) {
      await reconciliation.receive(gateway.eventOf(paymentId, status))
      await reconciliation.tick()
    }
  }
  /** What was true once, told only now. */
  async function tellLate(paymentId: string, status: PaymentStatus) {
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
  return { ...service, gateway, reconciliation, happens, tellLate }
}
export type MoneyService = Awaited<ReturnType<typeof startMoneyService>>

export const pix = { paymentMethod: 'PIX', dueDate: '2026-11-18', amount: 100, description: 'Novembro' }
