/** A payer at the payment page, in a real browser: Pix, bank slip and card, on a desk and on a phone. */
import jsqr from 'jsqr'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startChromium } from '../../console/console-browser.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { type PaymentDesk, startPaymentDesk } from '../../helpers/service/payment-desk.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'

const phone = { width: 360, height: 740 }
const desktop = { width: 1200, height: 900 }
/** A browser is slow on two busy cores. */
const patience = { timeout: 120_000 }

type Photograph = { data: number[]; width: number; height: number }

/** A string, since it runs in the browser and uses DOM types that this project does not have. */
const look = `async function look(address) {
  const image = new Image()
  image.src = address
  await image.decode()
  const { width, height } = image
  const paper = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
  paper.drawImage(image, 0, 0)
  return { data: [...paper.getImageData(0, 0, width, height).data], width, height }
}`

describe.skipIf(programMissing('chromium'))('a payer', patience, () => {
  let browser: Browser
  let desk: PaymentDesk
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    desk = await startPaymentDesk()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await desk?.stop()
  })
  afterEach(() => context.close())

  async function open(link: string, viewport = desktop, locale = 'pt-BR', scripts = true) {
    context = await browser.newContext({ viewport, locale, javaScriptEnabled: scripts })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(link)
  }
  beforeEach(() => {
    complaints.length = 0
  })

  /** The pixels of a part of the page, as the camera of a phone would see them. */
  async function photograph(part: Locator) {
    const picture = `data:image/png;base64,${(await part.screenshot()).toString('base64')}`
    const dark = await browser.newPage()
    const { data, width, height } = await dark.evaluate<Photograph>(
      `look(${JSON.stringify(picture)})\n${look}`,
    )
    await dark.close()
    return { data: new Uint8ClampedArray(data), width, height }
  }

  const wider = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')

  test('pays by Pix: the picture and the copied text are the same code', async () => {
    const { paymentLink, paymentId, pixCode } = await desk.order()
    await open(paymentLink)
    const { data, width, height } = await photograph(page.locator('svg.qr'))
    expect((jsqr as unknown as typeof jsqr.default)(data, width, height)?.data).toBe(pixCode)

    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copiar código' }).click()
    await page.getByRole('button', { name: 'Copiado' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(pixCode)

    await page.getByRole('button', { name: 'Simular pagamento com Pix' }).click()
    await page.getByText('Pagamento recebido').waitFor()
    expect(await desk.statusOf(paymentId)).toBe('RECEIVED')
    // Reloading does not pay again, and the Content-Security-Policy blocked nothing.
    await page.reload()
    expect(await page.getByText('Pagamento recebido').isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('pays a bank slip on a phone, in English, without scripts', async () => {
    const { paymentLink, paymentId, paymentCode = '' } = await desk.order()
    await open(paymentLink, phone, 'en-US', false)
    await page.getByRole('link', { name: 'Bank slip' }).click()
    const line = await page.getByLabel('Line of digits').inputValue()
    expect(line.replace(/\D/g, '')).toBe(paymentCode)
    expect(await page.getByRole('img', { name: 'Bar code' }).isVisible()).toBe(true)
    // Without scripts the copy button cannot work, so it is hidden.
    expect(await page.getByRole('button', { name: 'Copy code' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Simulate paying the slip' }).click()
    await page.getByText('Payment confirmed').waitFor()
    expect(await desk.statusOf(paymentId)).toBe('CONFIRMED')
  })

  test('pays by card at the third try, and is refunded', async () => {
    const { paymentLink, paymentId } = await desk.order({ method: 'CREDIT_CARD' })
    await open(paymentLink)
    const fill = async (number: string) => {
      await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA')
      await page.getByLabel('Número do cartão').fill(number)
      await page.getByLabel('Validade').fill('12/30')
      await page.getByLabel('Código de segurança').fill('123')
      await page.getByRole('button', { name: 'Pagar com cartão de crédito' }).click()
    }
    await fill('5555 5555 5555 4444')
    await page.getByText('cartões de verdade não são aceitos').waitFor()
    await fill('4000 0000 0000 0002')
    await page.getByText('O cartão foi recusado').waitFor()
    await fill('4111 1111 1111 1111')
    await page.getByText('Pagamento confirmado').waitFor()
    expect(await page.getByText('final 1111').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Estornar' }).click()
    await page.getByText('O valor foi devolvido').waitFor()
    expect(await desk.statusOf(paymentId)).toBe('REFUNDED')
    expect(complaints).toEqual([expect.stringContaining('422'), expect.stringContaining('422')])
  })

  test('orders credit over the API, follows the link, pays, and has it', async () => {
    const service = await startService()
    onTestFinished(() => service.stop())
    const { token } = await openAccount(service)
    const balance = async () => (await service.api.get('/credits/balance', { token })).body.balance
    const before = await balance()
    const request = { paymentMethod: 'PIX', dueDate: '2026-11-18', amount: 123.45, description: 'Créditos' }
    const { body: charge } = await service.api.post('/charges', request, { token })
    expect(charge).toMatchObject({ gateway: 'sandbox', status: 'PENDING' })
    await open(charge.paymentLink)
    await page.getByRole('button', { name: 'Simular pagamento com Pix' }).click()
    await page.getByText('Pagamento recebido').waitFor()
    await expect.poll(balance).toBeCloseTo(before + 123.45, 2)
    const { body } = await service.api.get('/charges?page=1', { token })
    expect(body.data).toMatchObject([{ id: charge.id, status: 'RECEIVED', paidAt: expect.any(String) }])
  })

  test('changes the language and keeps the method', async () => {
    const { paymentLink } = await desk.order()
    await open(paymentLink)
    await page.getByRole('link', { name: 'Boleto' }).click()
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Simulate paying the slip' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test.each([
    ['PIX', 'pt'],
    ['PIX', 'en'],
    ['BOLETO', 'pt'],
    ['CREDIT_CARD', 'en'],
  ])('sees all of %s on a phone (%s) without scrolling sideways', async (method, language) => {
    const description = 'créditos'.repeat(40)
    const { paymentLink } = await desk.order({ description, payerName: 'X'.repeat(80) })
    await open(`${paymentLink}?method=${method}&lang=${language}`, phone)
    expect(await wider()).toBe(false)
  })
})
