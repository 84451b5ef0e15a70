/** The payment page of the sandbox and the webhook of the payment gateway; neither is part of the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import type { Log } from '../../../kit/process/log.ts'
import type { OnPaymentEvent, PaymentGateway } from '../../../payments/port.ts'
import type { CardForm } from '../../../payments/sandbox/cards.ts'
import type { Payer } from '../../../payments/sandbox/payer.ts'
import {
  actionsFor,
  methodsOf,
  type PayerAction,
  type SandboxPayment,
} from '../../../payments/sandbox/payment.ts'
import { secondsToWait } from '../../limits/page-limit.ts'
import type { RateCounters } from '../../limits/rate-counters.ts'
import { paymentPolicy } from '../../pages/payment-look.ts'
import { paymentPage, paymentTroublePage, type Shown } from '../../pages/payment-page.ts'
import { chooseLanguage, type Trouble } from '../../pages/payment-words.ts'
import { asRefusal } from '../../server/errors/error-body.ts'

type WebhookDeps = {
  gateway: PaymentGateway
  onEvent: OnPaymentEvent
  rateCounters: RateCounters | undefined
  log: Log
}

/** The gateway is configured to call PUBLIC_URL followed by this path. */
export const webhookPath = (gateway: Pick<PaymentGateway, 'name'>) => `/gateways/${gateway.name}/events`

const maxEventBytes = 256 * 1024
const maxFormBytes = 8 * 1024

export function addGatewayWebhook(
  server: FastifyInstance,
  { gateway, onEvent, rateCounters, log }: WebhookDeps,
) {
  // A scope of its own: the signature is computed over the unparsed body.
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxEventBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(webhookPath(gateway), async (request) => {
      const reading = gateway.readWebhook({ headers: request.headers, body: String(request.body ?? '') })
      if (reading === 'forbidden') {
        // Only forged requests count towards the rate limit: the gateway may send as many as it needs to.
        const retryAfter = await secondsToWait(rateCounters, request, 'gateway events')
        if (retryAfter !== undefined) throw refuse('RATE_LIMITED', { retryAfter })
        throw refuse('AUTHORIZATION_REQUIRED')
      }
      if (reading === 'malformed') {
        log.warn({ gateway: gateway.name }, 'a webhook request of the gateway cannot be parsed')
        throw refuse('MALFORMED_BODY')
      }
      if (reading !== 'ignored') await onEvent(reading.event)
      // Exactly 200: some gateways treat any other 2xx as a failure.
      return { received: true }
    })
    done()
  })
}

type PageDeps = { payer: Payer; rateCounters: RateCounters | undefined; log: Log }
type Asked = { Params: { key: string }; Querystring: Record<string, unknown>; Body: URLSearchParams }

export function addPaymentPage(server: FastifyInstance, { payer, rateCounters, log }: PageDeps) {
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    )
    scope.setErrorHandler((error, request, reply) => {
      const refusal = asRefusal(error, undefined)
      if (!refusal || refusal.statusCode >= 500) {
        log.error({ request: request.id, err: refusal?.cause ?? error }, 'request failed')
      }
      return trouble(request, reply, refusal?.statusCode ?? 500, 'down')
    })
    scope.addHook('onRequest', async (request, reply) => {
      const retryAfter = await secondsToWait(rateCounters, request, `${request.method} payment page`)
      if (retryAfter === undefined) return
      reply.header('Retry-After', retryAfter)
      return trouble(request, reply, 429, 'too often')
    })

    scope.get<Asked>('/pay/:key', async (request, reply) => {
      const payment = await payer.find(request.params.key)
      if (!payment) return trouble(request, reply, 404, 'missing')
      return send(reply, 200, await paymentPage(payment, shownFor(request, payment, request.query.method)))
    })

    scope.post<Asked>('/pay/:key', async (request, reply) => {
      const { key } = request.params
      const form = request.body ?? new URLSearchParams()
      const before = await payer.find(key)
      if (!before) return trouble(request, reply, 404, 'missing')
      const shown = shownFor(request, before, form.get('method'))
      // CSRF: even a page that knows the key must not act through the payer's browser.
      if (isCrossSite(request)) {
        return send(reply, 403, await paymentPage(before, { ...shown, trouble: 'elsewhere' }))
      }
      const answer = await perform(before, form, shown)
      if (answer === 'done') return reply.code(303).redirect(`?lang=${shown.language}`, 303)
      const now = (await payer.find(key)) ?? before
      if (answer === 'too late' || answer === 'unknown') {
        return send(reply, 409, await paymentPage(now, { ...shown, trouble: 'too late' }))
      }
      const { holder, expiry } = readCardForm(form)
      const typed = { holder, expiry }
      const message: Partial<Shown> =
        answer === 'card refused' ? { trouble: answer } : { trouble: 'check', problems: answer.problems }
      return send(reply, 422, await paymentPage(now, { ...shown, ...message, typed }))
    })

    async function perform(payment: SandboxPayment, form: URLSearchParams, { method }: Shown) {
      const action = form.get('do')
      if (action === 'pay' && method) {
        const hasCard = method === 'CREDIT_CARD' || method === 'DEBIT_CARD'
        return await payer.pay(payment.key, method, hasCard ? readCardForm(form) : undefined)
      }
      const known = actionsFor(payment).find((one): one is PayerAction => one === action)
      return known ? await payer.act(payment.key, known) : 'too late'
    }
    done()
  })
}

function shownFor(request: FastifyRequest, payment: SandboxPayment, asked: unknown): Shown {
  const method = methodsOf(payment).find((one) => one === asked)
  return { language: languageOf(request), method }
}

function languageOf({ query, body, headers }: FastifyRequest) {
  const asked = body instanceof URLSearchParams ? body.get('lang') : (query as { lang?: unknown }).lang
  return chooseLanguage(asked, headers['accept-language'])
}

/** Old browsers do not send Sec-Fetch-Site; there the secrecy of the key protects the payer. */
function isCrossSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function readCardForm(form: URLSearchParams): CardForm {
  const field = (name: keyof CardForm) => (form.get(name) ?? '').slice(0, 100)
  return { holder: field('holder'), number: field('number'), expiry: field('expiry'), cvv: field('cvv') }
}

function trouble(request: FastifyRequest, reply: FastifyReply, status: number, what: Trouble) {
  return send(reply, status, paymentTroublePage(what, languageOf(request)))
}

function send(reply: FastifyReply, status: number, html: string) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', paymentPolicy)
    .header('Cache-Control', 'no-store')
    .send(html)
}
