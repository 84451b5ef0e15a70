/** Pages that the server writes itself share the look of the console (D323): in both themes, and on a telephone. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { pix } from '../helpers/service/money.ts'
import { mailedLink, newSignup, openAccount, press } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

let service: Service
/** By name. */
const addresses: Record<string, string> = {}

beforeAll(async () => {
  service = await startService()
  const admin = await openAccount(service)
  const charge = { ...pix, paymentMethod: 'UNDEFINED' }
  const { body } = await service.api.post('/charges', charge, admin)
  const signup = newSignup()
  await service.api.post('/accounts/signup', signup)
  const confirmation = await mailedLink(service, signup.email)
  const used = await mailedLink(service, admin.email)
  await press(used)
  Object.assign(addresses, {
    mailbox: `${service.url}/mailbox?token=${service.app.operatorToken?.token}`,
    confirmation,
    'link that was used': used,
    'payment by PIX': `${body.paymentLink}?method=PIX`,
    'payment by card': `${body.paymentLink}?method=CREDIT_CARD`,
    reference: `${service.url}/docs/en/reference`,
  })
})
afterAll(() => service?.stop())

const names = [
  'mailbox',
  'confirmation',
  'link that was used',
  'payment by PIX',
  'payment by card',
  'reference',
]

test.each(names)('%s is one file, and nothing but its own style and script is allowed', async (name) => {
  const answer = await fetch(addresses[name] ?? '', { headers: { accept: 'text/html' } })
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(await answer.text()).toContain('--accent: light-dark(')
})

/** Parts of the reference that repeat what others have shown. */
const alike = ['article:nth-of-type(n+2)', '.record:nth-of-type(n+2)', 'nav details details:nth-of-type(n+3)']

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { locale: 'pt-BR', colorScheme: 'light', width: 1280 },
    { locale: 'en-GB', colorScheme: 'dark', width: 360 },
  ] as const)('they are accessible and fit ($locale, $colorScheme, $width px)', async (look) => {
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    for (const name of names) {
      await page.goto(addresses[name] ?? '')
      await expectAccessible(page, name, name === 'reference' ? alike : [])
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(widest, name).toBeLessThanOrEqual(look.width)
      const ground = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
      expect(ground, name).toBe(look.colorScheme === 'light' ? 'rgb(245, 246, 248)' : 'rgb(20, 23, 26)')
    }
    expect(errors).toEqual([])
  })
})
