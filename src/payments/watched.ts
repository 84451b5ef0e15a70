/** A payment gateway whose answers are watched: one that refuses an order works, one that cannot be reached does not. */
import type { Outcomes } from '../kit/outcomes.ts'
import type { Answer, PaymentGateway } from './port.ts'

export function watchGateway(gateway: PaymentGateway, outcomes: Pick<Outcomes, 'record'>): PaymentGateway {
  async function watch<T>(request: Promise<Answer<T>>): Promise<Answer<T>> {
    const answer = await request
    outcomes.record(answer.ok || answer.why === 'refused')
    return answer
  }
  return {
    name: gateway.name,
    needsCustomer: gateway.needsCustomer,
    putCustomer: (customer) => watch(gateway.putCustomer(customer)),
    order: (order) => watch(gateway.order(order)),
    find: (by) => watch(gateway.find(by)),
    cancel: (paymentId) => watch(gateway.cancel(paymentId)),
    refund: (paymentId) => watch(gateway.refund(paymentId)),
    readWebhook: (request) => gateway.readWebhook(request),
    /** Payments that could not be read are missing, and so may be some that the gateway no longer has. */
    async poll(paymentIds) {
      const found = await gateway.poll(paymentIds)
      if (found.length > 0) outcomes.record(true)
      return found
    },
    close: () => gateway.close(),
  }
}
