/** Every page on a telephone and on a small desktop, with long names and large amounts: nothing scrolls sideways, no cell is cut. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { createFakeEngine } from '../../src/engine/fake.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls, live } from '../helpers/service/call-rows.ts'
import { addOperator } from '../helpers/service/operators.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { insertTrace, sketchMessage } from '../helpers/stored/sip-trace-rows.ts'
import { openConsole, startChromium, typePassword } from './console-browser.ts'

const longName = 'Maria Fernanda Albuquerque Cavalcanti de Oliveira'
const operatorPages = ['', 'accounts', 'calls', 'numbers', 'rates', 'trunks', 'status', 'log', 'operators']
const operatorPaths = operatorPages.map((page) => (page === '' ? '/operator' : `/operator/${page}`))
/** Of the navigation of a desktop, which a telephone hides. */
const linked = `[...document.querySelectorAll('.side .nav-link')].map((link) => link.getAttribute('href'))`

/** What is wider than its place: the page, or a part that would have to be scrolled sideways. Code samples may be. */
const tooWide = `[
  document.documentElement,
  ...document.querySelectorAll('main *, .bar *'),
].filter((element) => element.scrollWidth > element.clientWidth + 1
  && getComputedStyle(element).display !== 'inline'
  && !element.closest('pre, svg, thead, .visually-hidden, input, select, textarea')
).map((element) => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 60))`

const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

describe.skipIf(programMissing('chromium'))('on a small screen', () => {
  let service: Service
  let browser: Browser
  let email: string
  let below: string[]

  beforeAll(async () => {
    service = await startService(
      { CONSOLE: 'on', TRIAL_CREDIT: '1234567.89' },
      { clock: systemClock, engine: (host) => createFakeEngine(host, { now: () => new Date() }) },
    )
    await service.app.consoleBuild?.finished
    const admin = await openAccount(service)
    email = admin.email
    below = await fill(service, admin)
    await addOperator(service, 'plantao.noturno.telefonia@distribuidora.example', longName)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test.each([
    { language: 'pt', locale: 'pt-BR', widths: [1280, 800, 360] },
    { language: 'en', locale: 'en-GB', widths: [800, 360] },
  ] as const)('every page fits ($language, $widths px)', async ({ language, locale, widths }) => {
    const look = { locale, colorScheme: 'light', width: widths[0] } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto(`/console?token=${service.app.operatorToken?.token}`)
    await typePassword(page, { ...commonWords[language], ...shellWords[language] }, password, email)
    await page.getByRole('navigation').first().waitFor()
    const paths = await page.evaluate<string[]>(linked)
    const wide: Record<string, string[]> = {}
    expect(paths).toContain('/console/credit')
    for (const path of [...paths, ...below, ...operatorPaths]) {
      await open(page, path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 })
        // After the frame in which the page was laid out anew.
        await page.evaluate(nextFrame)
        const found = await page.evaluate<string[]>(tooWide)
        if (found.length > 0) wide[`${path} at ${width} px`] = found
      }
    }
    expect(wide).toEqual({})
    expect(errors).toEqual([])
  })
})

async function open(page: Page, path: string) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

type Admin = Awaited<ReturnType<typeof openAccount>>

/** Returns the pages of one call and of one integration, and those of the account and of the call for the operator. */
async function fill({ api, db }: Service, admin: Admin) {
  const [first = '', ...rest] = longName.split(' ')
  const person = { senha: 's3nha-do-ramal', first_name: first, last_name: rest.join(' '), gravar_audio: 1 }
  const url =
    'https://crm.example/webhooks/telefonia/eventos-de-chamadas?empresa=distribuidora&ambiente=producao'
  const metadata = {
    webhookUrl: url,
    webhookVersion: '1.8',
    webhookTypes: ['channel-answer', 'channel-hangup'],
  }
  const charge = { paymentMethod: 'PIX', amount: 49_999.99, description: longName }
  const dueDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const settings = { gateway: 'producao-da-distribuidora-de-alimentos', webhook: true, metadata }
  const integration = await api.patch('/integrations', settings, admin)
  const added = [
    await api.post('/extensions', { ...person, ramal: '1000', email_address: admin.email }, admin),
    await api.post('/users/accessTokens', { name: longName, ttl: -1 }, admin),
    await api.post('/numbers', { number: '48999998888' }, admin),
    integration,
    await api.post('/charges', { ...charge, dueDate }, admin),
    await api.post(
      '/users',
      {
        name: longName,
        email: 'atendimento.comercial@distribuidora.example',
        password,
        phone: '48999998888',
        role: 'USER',
      },
      admin,
    ),
  ]
  expect(added.filter(({ status }) => status >= 300)).toEqual([])
  const started_at = new Date(Date.now() - 3_600_000)
  const common = { domain: admin.domain, first_name: first, last_name: rest.join(' '), started_at }
  const ended = { status: 'completed', hangup_cause: 'NORMAL_CLEARING', answered_at: started_at } as const
  const [callId = ''] = await insertCalls(db, await accountIdOf(db, admin.domain), [
    { ...common, ...ended, duration: 35_999, minute_price: 123_400, call_price: 123_456_78 },
    { ...common, call_type: 'inbound', from_number: '5548999998888', to_number: '1000' },
    { ...common, ...live('answered'), answered_at: started_at, to_number: '442071234567' },
  ])
  await insertTrace(db, { callId, node: 'node-of-the-first-data-centre', messages: longLadder(started_at) })
  return [
    `/console/calls/${callId}`,
    `/console/integrations/${integration.body.id}`,
    `/operator/accounts/${admin.domain}`,
    `/operator/calls/${callId}/sip`,
  ]
}

/** An INVITE that is sent again, with a long refusal, between seven participants. */
function longLadder(start: Date) {
  const invite = {
    direction: 'sent',
    branch: 'z9hG4bK1',
    cseq: '1 INVITE',
    firstLine: 'INVITE sip:1000@203.0.113.107 SIP/2.0',
  } as const
  const firstLine = 'SIP/2.0 407 Proxy Authentication Required by the gateway'
  return (['extension', 'other'] as const).flatMap((side) =>
    (['extension', 'carrier', 'node'] as const).flatMap((party) => [
      sketchMessage(start, { ...invite, side, party, afterMs: 0 }),
      sketchMessage(start, { ...invite, side, party, afterMs: 500 }),
      sketchMessage(start, { ...invite, side, party, afterMs: 3_691_234, direction: 'received', firstLine }),
    ]),
  )
}
