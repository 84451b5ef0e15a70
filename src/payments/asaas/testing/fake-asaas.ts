/** A server on loopback that behaves as Asaas is documented, with failures on demand. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { slipBarCode, slipLine } from '../../codes/bank-slip.ts'
import { brCode } from '../../codes/br-code.ts'

type Wire = Record<string, unknown>
type Answer = { status: number; body: unknown }

/**
 * after: the request is executed, but its answer is missing (silence), endless (drip, flood) or invalid (garbage, 500).
 * before: the request is not executed.
 */
export type Accident =
  | { when: 'after'; what: 'silence' | 'drip' | 'flood' | 'garbage' | 'reset' | 500 }
  | { when: 'before'; what: 'silence' | 'reset' | 401 | 403 | 429 | 500 }

export const fakeKey = '$aact_fake'
export const fakeToken = 'a-token-of-at-least-thirty-two-characters'

const ok = (body: unknown): Answer => ({ status: 200, body })
const refuse = (status: number, code: string): Answer => ({
  status,
  body: { errors: [{ code, description: 'Descrição em português' }] },
})

export async function startFakeAsaas(webhookUrl: () => string) {
  const customers = new Map<string, Wire>()
  const payments = new Map<string, Wire>()
  const asked: string[] = []
  const accidents: { request: string; accident: Accident }[] = []
  const hanging = new Set<ServerResponse>()
  let made = 0
  let deliveries: Promise<unknown> = Promise.resolve()

  /** Posts to our webhook; events are sent one after another. */
  function sendEvent(event: string, payment: Wire, id = `evt_05b708f961d739ea7eba7e4db318f621&${++made}`) {
    const body = { id, event, dateCreated: '2026-11-15 09:00:00', account: { id: 'x', ownerId: null } }
    const headers = { 'content-type': 'application/json', 'asaas-access-token': fakeToken }
    const post = { method: 'POST', headers, body: JSON.stringify({ ...body, payment }) }
    deliveries = deliveries.then(() => fetch(webhookUrl(), post).then((response) => response.text()))
  }

  function move(payment: Wire, status: string, more: Wire = {}) {
    Object.assign(payment, { status }, more)
    sendEvent(`PAYMENT_${status}`, payment)
  }

  function makeCustomer(body: Wire): Answer {
    if (typeof body.name !== 'string') return refuse(400, 'invalid_name')
    if (!isTaxId(body.cpfCnpj)) return refuse(400, 'invalid_cpfCnpj')
    const customer = { object: 'customer', id: `cus_${++made}`, deleted: false, ...body }
    customers.set(customer.id, customer)
    return ok(customer)
  }

  function makePayment(body: Wire): Answer {
    const { customer, billingType, value, dueDate } = body
    if (!customers.has(String(customer))) return refuse(400, 'invalid_customer')
    // DEBIT_CARD cannot be ordered.
    const types = ['UNDEFINED', 'BOLETO', 'CREDIT_CARD', 'PIX']
    if (!types.includes(String(billingType))) return refuse(400, 'invalid_billingType')
    if (typeof value !== 'number' || value <= 0) return refuse(400, 'invalid_value')
    const id = `pay_${++made}`
    const payment = {
      object: 'payment',
      id,
      ...body,
      netValue: Math.round(value * 100 - 199) / 100,
      dueDate,
      status: 'PENDING',
      deleted: false,
      refunds: null,
      invoiceNumber: String(made).padStart(8, '0'),
      invoiceUrl: `https://sandbox.asaas.com/i/${made}`,
      somethingNew: { from: 'next year' },
    }
    payments.set(id, payment)
    sendEvent('PAYMENT_CREATED', payment)
    return ok(payment)
  }

  function list(all: Map<string, Wire>, query: URLSearchParams): Answer {
    const reference = query.get('externalReference')
    const data = [...all.values()].filter((one) => one.externalReference === reference)
    return ok({ object: 'list', hasMore: false, totalCount: data.length, limit: 10, offset: 0, data })
  }

  function onPayment(method: string, payment: Wire, action: string | undefined): Answer {
    const status = String(payment.status)
    const digits = String(made).padStart(25, '0')
    const amount = Math.round(Number(payment.value) * 100)
    switch (`${method} ${action ?? ''}`) {
      case 'GET ':
        return ok(payment)
      case 'DELETE ':
        if (payment.deleted || !['PENDING', 'OVERDUE'].includes(status)) return refuse(400, 'invalid_action')
        payment.deleted = true
        sendEvent('PAYMENT_DELETED', payment)
        return ok({ deleted: true, id: payment.id })
      case 'POST refund':
        if (!['CONFIRMED', 'RECEIVED'].includes(status)) return refuse(400, 'invalid_action')
        move(payment, 'REFUNDED')
        return ok(payment)
      case 'GET identificationField': {
        const slip = { bank: '461', dueDate: String(payment.dueDate), amount, freeField: digits }
        const barCode = slipBarCode(slip)
        return ok({ identificationField: slipLine(barCode), nossoNumero: digits, barCode })
      }
      case 'GET pixQrCode': {
        const payload = brCode({ key: 'pix@asaas.example', receiver: 'EMPRESA', city: 'JOINVILLE', amount })
        return ok({ encodedImage: '', payload, expirationDate: '2027-11-20 23:59:59' })
      }
      default:
        return refuse(404, 'not_found')
    }
  }

  function route(method: string, url: URL, body: Wire): Answer {
    const [, version, kind, id, action] = url.pathname.split('/')
    if (version !== 'v3') return refuse(404, 'not_found')
    if (kind === 'customers' && id === undefined) {
      return method === 'POST' ? makeCustomer(body) : list(customers, url.searchParams)
    }
    if (kind === 'payments' && id === undefined) {
      return method === 'POST' ? makePayment(body) : list(payments, url.searchParams)
    }
    const found = (kind === 'customers' ? customers : payments).get(decodeURIComponent(id ?? ''))
    if (!found) return refuse(404, 'not_found')
    if (kind !== 'customers') return onPayment(method, found, action)
    if (!isTaxId(body.cpfCnpj)) return refuse(400, 'invalid_cpfCnpj')
    return ok(Object.assign(found, body))
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '', headers } = request
    let text = ''
    for await (const chunk of request) text += chunk
    asked.push(`${method} ${url}`)
    if (headers.access_token !== fakeKey || !headers['user-agent']) return send(response, refuse(401, 'key'))
    if (method === 'GET' && text !== '') return send(response, { status: 403, body: {} })
    const at = accidents.findIndex((one) => `${method} ${url}`.includes(one.request))
    const accident = at < 0 ? undefined : accidents.splice(at, 1)[0]?.accident
    if (accident?.when === 'before') return fail(response, accident.what)
    const body: unknown = text === '' ? {} : JSON.parse(text)
    const answer = route(method, new URL(url, 'http://x'), body as Wire)
    return accident ? fail(response, accident.what) : send(response, answer)
  }

  function fail(response: ServerResponse, what: Accident['what']) {
    if (what === 'silence' || what === 'drip') hanging.add(response)
    if (what === 'silence') return
    if (what === 'drip') response.writeHead(200).write('{"object":')
    else if (what === 'flood') response.writeHead(200).end(`"${'x'.repeat(2_000_000)}"`)
    else if (what === 'reset') response.destroy()
    else if (what === 'garbage') response.writeHead(200).end('<html>sorry')
    else send(response, refuse(what, 'accident'))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v3`,
    customers,
    payments,
    /** All requests so far, in order. */
    asked,
    /** Lets the next request fail whose method and path contain the text. */
    plan: (request: string, accident: Accident) => void accidents.push({ request, accident }),
    move(paymentId: string, status: string, more?: Wire) {
      const payment = payments.get(paymentId)
      if (!payment) throw new Error(`there is no ${paymentId}`)
      move(payment, status, more)
    },
    /** Sends an event of any payment, also an old one again. */
    sendEvent,
    /** Resolves when all events have been sent. */
    delivered: () => deliveries,
    async stop() {
      await deliveries
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type FakeAsaas = Awaited<ReturnType<typeof startFakeAsaas>>

function send(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Simplified: refuses what is too short or repeats one digit. */
function isTaxId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 11 && !/^(.)\1+$/.test(value)
}
