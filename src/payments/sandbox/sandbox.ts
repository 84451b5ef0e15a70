/**
 * The sandbox gateway: takes no money, and does everything else a payment gateway does. It stores its payments, shows
 * each at a link, moves it as the payer acts and as time passes, and sends its events to our webhook over HTTP.
 */
import type { Clock } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Log } from '../../kit/process/log.ts'
import type { TlsTrust } from '../../kit/process/tls-files.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import type { Answer, Failure, Payment, PaymentEvent, PaymentGateway } from '../port.ts'
import { createEventSender } from './event-sender.ts'
import { createPayer } from './payer.ts'
import { isPayable, statusAfter } from './payment.ts'
import { createSandboxPayments, type MoveResult } from './payments.ts'
import { putCustomerRow } from './payments-store.ts'
import { createSignatures } from './signature.ts'
import { createWebhookPost } from './webhook-post.ts'

type Deps = {
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  /** The base of payment links. */
  siteUrl: () => string
  webhookUrl: () => string
  /** How the certificate there is verified, if not as any other. */
  webhookTrust?: () => TlsTrust | undefined
}

/** D37: a valid CPF that this gateway refuses, to try out a refusal. */
const refusedTaxId = '00000000191'

export function createSandboxGateway({ db, clock, log, vault, siteUrl, webhookUrl, webhookTrust }: Deps) {
  const signatures = createSignatures(vault, clock)
  const webhook = createWebhookPost({ url: webhookUrl, trust: webhookTrust })
  const eventSender = createEventSender({ db, clock, log, post: webhook.post, sign: signatures.headersOf })
  const payments = createSandboxPayments({ db, clock, eventSender, siteUrl })

  const gateway: PaymentGateway = {
    name: 'sandbox',
    needsCustomer: false,

    async putCustomer({ reference, taxId }) {
      if (taxId === refusedTaxId) return refused('the sandbox refuses this tax id, to show a refusal')
      const made = `cus_${randomBase62(16)}`
      return { ok: true, customerId: await putCustomerRow(db, made, reference, clock.now()) }
    },

    async order(order) {
      const payment = await payments.order(order)
      return payment ? { ok: true, payment: payments.toPayment(payment) } : refused('the payment is gone')
    },

    async find(by) {
      const payment = await payments.find(by)
      return { ok: true, payment: payment && payments.toPayment(payment) }
    },

    async cancel(paymentId) {
      const changed = await payments.change({ paymentId }, (payment) =>
        isPayable(payment) ? { status: 'CANCELLED' } : undefined,
      )
      return answerOf(changed)
    },

    async refund(paymentId) {
      const changed = await payments.change({ paymentId }, (payment) => {
        const status = statusAfter('refund', payment)
        return status && { status }
      })
      const stays = changed && !changed.moved && !changed.payment.status.startsWith('REFUND')
      return stays ? refused(`${changed.payment.status} cannot be refunded`) : answerOf(changed)
    },

    readWebhook(incoming) {
      if (!signatures.isGenuine(incoming)) return 'forbidden'
      const event = JSON.parse(incoming.body) as Omit<PaymentEvent, 'at'> & { at: string }
      return { event: { ...event, at: new Date(event.at) } }
    },

    async poll(paymentIds) {
      const found = await Promise.all(paymentIds.map((paymentId) => payments.find({ paymentId })))
      return found.filter((payment) => payment !== undefined).map(payments.toPayment)
    },

    close: webhook.close,
  }

  function answerOf(changed: MoveResult | undefined): Answer<{ payment: Payment }> {
    return changed
      ? { ok: true, payment: payments.toPayment(changed.payment) }
      : refused('there is no such payment')
  }

  return {
    ...gateway,
    payer: createPayer({ payments, clock }),
    async tick() {
      await payments.moveDue()
      await eventSender.tick()
    },
    sweep: eventSender.sweep,
    /** Called after a commit, so that an event does not wait for the loop's next turn. */
    onWake: payments.onWake,
  }
}
export type SandboxGateway = ReturnType<typeof createSandboxGateway>

function refused(reason: string): Failure {
  return { ok: false, why: 'refused', reason }
}
