/** The sandbox gateway with its payment page and our webhook, served over HTTP as in the real service; the test reads the events. */
import { randomBytes } from 'node:crypto'
import { createMemoryRateCounters } from '../../../src/http/limits/rate-counters.ts'
import { createMetrics } from '../../../src/http/operator/metrics.ts'
import { addGatewayWebhook, addPaymentPage, webhookPath } from '../../../src/http/routes/money/payments.ts'
import { drain, listen } from '../../../src/http/server/listening.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { createSessionCookie } from '../../../src/http/server/session-cookie.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createVault } from '../../../src/kit/vault.ts'
import type { Order, PaymentEvent } from '../../../src/payments/port.ts'
import { createSandboxGateway } from '../../../src/payments/sandbox/sandbox.ts'
import { openDatabase, openPool } from '../../../src/store/database.ts'
import type { Callers } from '../../../src/users/tokens/callers.ts'
import { createTestClock } from '../run/test-clock.ts'
import { createTestDatabase } from '../run/test-database.ts'

export async function startPaymentDesk({ limited = false } = {}) {
  const clock = createTestClock()
  const log = createLog('silent')
  const database = await createTestDatabase()
  const db = openDatabase(openPool({ connectionString: database.url }, { size: 6, onError: () => {} }))
  const site = { url: '' }
  const taken: PaymentEvent[] = []
  const desk = { failing: false }
  const gateway = createSandboxGateway({
    db,
    clock,
    log,
    vault: createVault(randomBytes(32)),
    siteUrl: () => site.url,
    webhookUrl: () => `${site.url}${webhookPath({ name: 'sandbox' })}`,
  })
  const rateCounters = limited ? createMemoryRateCounters(clock, 60_000) : undefined
  // The routes served here need no token.
  const callers = { find: async () => undefined } as unknown as Callers
  const server = createServer({
    log,
    callers,
    rateCounters,
    metrics: createMetrics().http,
    trustProxy: [],
    strictBodies: false,
    maxRequests: 100,
    countOthersBy: 'address',
    links: { reference: false, mailbox: false },
    sessionCookie: createSessionCookie(false),
    takesSip: false,
  })
  addPaymentPage(server, { payer: gateway.payer, rateCounters, log })
  async function onEvent(event: PaymentEvent) {
    if (desk.failing) throw new Error('cannot take it now')
    taken.push(event)
  }
  addGatewayWebhook(server, { gateway, onEvent, rateCounters, log })
  site.url = await listen(server, '127.0.0.1', 0)

  return {
    clock,
    gateway,
    taken,
    desk,
    url: site.url,
    /** A payment of R$ 123.45, and its link. */
    async order(change: Partial<Order> = {}) {
      const made = await gateway.order({
        reference: crypto.randomUUID(),
        method: 'UNDEFINED',
        dueDate: '2026-11-20',
        amount: 12_345,
        description: 'Créditos para ligações',
        payerName: 'Padaria São João',
        ...change,
      })
      if (!made.ok) throw new Error(made.reason)
      return made.payment
    },
    async statusOf(paymentId: string) {
      const found = await gateway.find({ paymentId })
      return found.ok ? found.payment?.status : undefined
    },
    async stop() {
      await drain(server)
      await db.destroy()
      await database.drop()
    },
  }
}
export type PaymentDesk = Awaited<ReturnType<typeof startPaymentDesk>>
