/** The payment page and the webhook, over HTTP, as a browser without scripts and as strangers use them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentDesk, startPaymentDesk } from '../../../../test/helpers/service/payment-desk.ts'

let desk: PaymentDesk
beforeAll(async () => {
  desk = await startPaymentDesk()
})
afterAll(() => desk.stop())
beforeEach(async () => {
  await desk.gateway.tick()
  desk.taken.length = 0
})

const card = { holder: 'ANA SOUZA', number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' }

async function get(link: string, headers: Record<string, string> = {}) {
  const response = await fetch(link, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

async function post(link: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  const response = await fetch(link, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('the payment page', () => {
  test('speaks the language that is asked for, else the one the browser prefers', async () => {
    const { paymentLink } = await desk.order()
    const language = async (link: string, accepted: string) =>
      /<html lang="([^"]+)"/.exec((await get(link, { 'accept-language': accepted })).html)?.[1]
    expect(await language(paymentLink, 'pt-BR,en;q=0.8')).toBe('pt-BR')
    expect(await language(paymentLink, 'en-GB,pt;q=0.8')).toBe('en')
    expect(await language(paymentLink, 'de-DE,en;q=0.7,pt;q=0.5')).toBe('en')
    expect(await language(paymentLink, 'de')).toBe('pt-BR')
    expect(await language(`${paymentLink}?lang=en`, 'pt')).toBe('en')
    expect(await language(`${paymentLink}?lang=xx`, 'en')).toBe('en')
  })

  test('shows amount, due date and what for, and nothing of it as markup', async () => {
    const { paymentLink } = await desk.order({
      description: '<script>alert(1)</script>',
      payerName: '"><b>x',
    })
    const { status, html, headers } = await get(`${paymentLink}?lang=pt`)
    expect(status).toBe(200)
    expect(html).toContain('R$\u00a0123,45')
    expect(html).toContain('20 de novembro de 2026')
    expect(html).toContain('&#60;script&#62;alert(1)')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<b>x')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-anc/,
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test.each([
    ['UNDEFINED', ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD']],
    ['BOLETO', ['BOLETO', 'PIX']],
    ['PIX', []],
    ['CREDIT_CARD', []],
  ] as const)('%s leaves the choice among %j', async (method, choice) => {
    const { paymentLink } = await desk.order({ method })
    const { html } = await get(paymentLink)
    const tabs = /<nav class="tabs">.*?<\/nav>/.exec(html)?.[0] ?? ''
    expect([...tabs.matchAll(/method=([A-Z_]+)/g)].map(([, one]) => one)).toEqual(choice)
  })

  test('a payment by PIX goes back to the page, which says it is paid; the webhook hears of it', async () => {
    const { paymentLink, paymentId } = await desk.order()
    const answer = await post(paymentLink, { do: 'pay', method: 'PIX', lang: 'en' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '?lang=en'])
    expect((await get(`${paymentLink}?lang=en`)).html).toContain('Payment received')
    await desk.gateway.tick()
    expect(desk.taken.map(({ type }) => type)).toEqual(['PAYMENT_CREATED', 'PAYMENT_RECEIVED'])
    expect(desk.taken.every(({ payment }) => payment.paymentId === paymentId)).toBe(true)
  })

  test('a second payment is refused as too late', async () => {
    const { paymentLink } = await desk.order()
    await post(paymentLink, { do: 'pay', method: 'PIX' })
    const again = await post(paymentLink, { do: 'pay', method: 'BOLETO', lang: 'en' })
    expect(again.status).toBe(409)
    expect(again.html).toContain('no longer possible')
  })

  test('a card that is refused, and fields that are wrong, come back with the page', async () => {
    const { paymentLink, paymentId } = await desk.order()
    const pay = (change: object) =>
      post(paymentLink, { do: 'pay', method: 'CREDIT_CARD', lang: 'en', ...card, ...change })
    const refused = await pay({ number: '4000000000000002' })
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(/role="alert">The card was refused/)
    expect(refused.html).toContain('value="ANA SOUZA"')
    const wrong = await pay({ number: '4111111111111112', expiry: '13/30', cvv: 'x', holder: '<i>' })
    expect(wrong.status).toBe(422)
    for (const field of ['number', 'expiry', 'cvv']) expect(wrong.html).toContain(`id="${field}-problem"`)
    expect(wrong.html).toContain('value="&#60;i&#62;"')
    // What was typed of number and code is not sent back.
    expect(wrong.html).not.toContain('4111111111111112')
    expect(await desk.statusOf(paymentId)).toBe('PENDING')
    expect((await pay({})).status).toBe(303)
    expect(await desk.statusOf(paymentId)).toBe('CONFIRMED')
  })

  test('a card under review refreshes by itself, and is decided on by hand or by the clock', async () => {
    const { paymentLink, paymentId } = await desk.order({ method: 'CREDIT_CARD' })
    await post(paymentLink, { do: 'pay', method: 'CREDIT_CARD', ...card, number: '4000000000009235' })
    expect((await get(paymentLink)).html).toContain('http-equiv="refresh"')
    await post(paymentLink, { do: 'reprove' })
    expect(await desk.statusOf(paymentId)).toBe('PENDING')
    expect((await get(paymentLink)).html).not.toContain('http-equiv="refresh"')
  })

  test('let expire, pay late, refund: by the test tools', async () => {
    const { paymentLink, paymentId } = await desk.order({ method: 'PIX' })
    await post(paymentLink, { do: 'expire' })
    expect((await get(`${paymentLink}?lang=pt`)).html).toContain('ainda pode ser paga')
    await post(paymentLink, { do: 'pay', method: 'PIX' })
    await post(paymentLink, { do: 'refund' })
    expect(await desk.statusOf(paymentId)).toBe('REFUNDED')
    expect((await get(`${paymentLink}?lang=pt`)).html).not.toContain('<form')
  })

  test('cancelled over the API, it cannot be paid', async () => {
    const { paymentLink, paymentId } = await desk.order()
    await desk.gateway.cancel(paymentId)
    expect((await get(`${paymentLink}?lang=en`)).html).toContain('was cancelled')
    expect((await post(paymentLink, { do: 'pay', method: 'PIX' })).status).toBe(409)
  })

  test.each([
    ['another method', { do: 'pay', method: 'BOLETO' }],
    ['no method', { do: 'pay' }],
    ['an action of another status', { do: 'refund' }],
    ['an unknown action', { do: 'toString' }],
    ['nothing', {}],
  ])('%s changes nothing', async (_what, fields) => {
    const { paymentLink, paymentId } = await desk.order({ method: 'PIX' })
    expect((await post(paymentLink, fields as Record<string, string>)).status).toBe(409)
    expect(await desk.statusOf(paymentId)).toBe('PENDING')
  })

  test('a form that another site sends is refused', async () => {
    const { paymentLink, paymentId } = await desk.order({ method: 'PIX' })
    for (const site of ['cross-site', 'same-site']) {
      const { status } = await post(paymentLink, { do: 'pay', method: 'PIX' }, { 'sec-fetch-site': site })
      expect(status).toBe(403)
    }
    expect(await desk.statusOf(paymentId)).toBe('PENDING')
    const own = await post(paymentLink, { do: 'pay', method: 'PIX' }, { 'sec-fetch-site': 'same-origin' })
    expect(own.status).toBe(303)
  })

  test('links that lead nowhere, and bodies that are no forms, get a page', async () => {
    const { paymentLink, paymentId } = await desk.order()
    for (const key of ['x', paymentId, `${paymentLink.split('/').at(-1)}x`, '%00', '..%2f..', "'--"]) {
      const { status, html } = await get(`${desk.url}/pay/${key}`)
      expect([status, html.includes('role="alert"')], key).toEqual([404, true])
    }
    const send = (body: string, type: string) =>
      fetch(paymentLink, { method: 'POST', body, headers: { 'content-type': type } })
    for (const [response, status] of [
      [await send('{}', 'application/json'), 415],
      [await send('x'.repeat(9_000), 'application/x-www-form-urlencoded'), 413],
      [await send('do=%zz&do=pay&method=%00&%=&&&', 'application/x-www-form-urlencoded'), 409],
    ] as const) {
      expect([response.status, response.headers.get('content-type')]).toEqual([
        status,
        'text/html; charset=utf-8',
      ])
    }
  })
})

describe('the webhook', () => {
  const url = () => `${desk.url}/gateways/sandbox/events`

  test('a stranger is refused, whatever they say', async () => {
    const body = JSON.stringify({ eventId: 'evt_1', payment: { status: 'RECEIVED' } })
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
    for (const init of [{ body }, { body, headers }, { headers }]) {
      expect((await fetch(url(), { method: 'POST', ...init })).status).toBe(401)
    }
    expect((await fetch(`${desk.url}/gateways/asaas/events`, { method: 'POST', body })).status).toBe(404)
    expect(desk.taken).toEqual([])
  })

  test('an event that cannot be stored now is sent again', async () => {
    const { paymentId } = await desk.order()
    desk.desk.failing = true
    await desk.gateway.tick()
    desk.desk.failing = false
    expect(desk.taken).toEqual([])
    desk.clock.advance(30)
    await desk.gateway.tick()
    expect(desk.taken).toMatchObject([{ type: 'PAYMENT_CREATED', payment: { paymentId } }])
    expect(desk.taken[0]?.at).toEqual(new Date(desk.clock.now().getTime() - 30_000))
  })
})

describe('with limits on', () => {
  let limited: PaymentDesk
  beforeAll(async () => {
    limited = await startPaymentDesk({ limited: true })
  })
  afterAll(() => limited.stop())

  test('the page and strangers at the webhook are counted by address, the gateway is not', async () => {
    const { paymentLink } = await limited.order()
    for (let turn = 0; turn < 60; turn++) expect((await get(paymentLink)).status).toBe(200)
    const { status, html, headers } = await get(paymentLink)
    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
    expect(html).toContain('role="alert"')
    const events = `${limited.url}/gateways/sandbox/events`
    const statuses: number[] = []
    for (let turn = 0; turn < 61; turn++) statuses.push((await fetch(events, { method: 'POST' })).status)
    expect([statuses[59], statuses[60]]).toEqual([401, 429])
    await limited.gateway.tick()
    expect(limited.taken).toHaveLength(1)
  })
})
