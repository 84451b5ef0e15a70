/** The documentation in a browser: accessible in both themes, on a telephone, without scripts; its search and its try-it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectAccessible, openConsole, startChromium } from '../console/console-browser.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const patience = { timeout: 120_000 }

const textsThatDoNotFit = `[...document.querySelectorAll('.drawing text')].filter((text) => {
  const inner = text.getBoundingClientRect()
  const outer = (text.parentNode.querySelector(':scope > rect') ?? text.closest('svg')).getBoundingClientRect()
  return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom
}).map((text) => text.textContent)`

describe.skipIf(programMissing('chromium'))('in a browser', patience, () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function open(path: string, look: Parameters<typeof openConsole>[2]) {
    const opened = await openConsole(browser, service.url, look)
    onTestFinished(() => opened.context.close())
    await opened.page.goto(path)
    return opened
  }

  const looks = [
    { locale: 'pt-BR', colorScheme: 'light', width: 1280 },
    { locale: 'en-GB', colorScheme: 'dark', width: 360 },
  ] as const
  const paths = [
    '/docs/',
    '/docs/start',
    '/docs/concepts/calls',
    '/docs/en/guides/webhooks',
    '/docs/en/errors',
  ]

  test.each(looks)(
    'pages are accessible and no wider than a screen of $width, $colorScheme',
    async (look) => {
      const { page, errors } = await open('/docs/', look)
      for (const path of paths) {
        await page.goto(path)
        await expectAccessible(page, path)
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), path).toBe(false)
      }
      expect(errors).toEqual([])
    },
  )

  test.each(['', 'en/'])(
    'every text of a picture fits into its box, or into the picture: /docs/%s',
    async (folder) => {
      const { page } = await open('/docs/', looks[0])
      for (const name of ['calls', 'webhooks', 'fleet']) {
        await page.goto(`/docs/${folder}concepts/${name}`)
        expect(await page.evaluate<string[]>(textsThatDoNotFit), name).toEqual([])
      }
    },
  )

  test('the search finds pages of both languages without accents, by the keyboard alone (D580)', async () => {
    const { page, errors } = await open('/docs/', looks[0])
    await page.keyboard.press('/')
    await page.keyboard.type('cobranca em aberto')
    const found = page.locator('.found a')
    await expect.poll(() => page.locator('.found').textContent()).toContain('CHARGE_OPEN')
    await page.getByRole('searchbox').fill('bank slip')
    await expect.poll(() => found.first().textContent()).toContain('em inglês')
    await page.getByRole('searchbox').fill('POST /calls/{id}/transfer')
    await expect.poll(() => found.first().textContent()).toContain('POST /calls/{id}/transfer')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference#postCallsIdTransfer')
    expect(errors).toEqual([])
  })

  test('a link of an earlier version to an operation leads to it', async () => {
    const { page } = await open('/docs#postCalls', looks[0])
    await page.waitForURL('**/docs/reference#postCalls')
  })

  test('an operation is tried with the session of the console, without a token', async () => {
    const admin = await openAccount(service)
    const { page, errors } = await open('/docs/reference', looks[0])
    const status = await page.evaluate<number>(
      `fetch('/api/v1/console/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '${JSON.stringify({ email: admin.email, password })}' }).then(({ status }) => status)`,
    )
    expect(status).toBe(200)
    const me = page.locator('#getUsersMe')
    await me.getByText('Testar').click()
    await me.getByText('Enviar GET').click()
    await expect.poll(() => me.locator('.try pre').textContent()).toContain(admin.email)
    expect(errors).toEqual([])
  })

  test('without scripts a page has its menu, its links and no search', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 800 },
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${service.url}/docs/en/guides/payments`)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
    await page.getByRole('navigation').getByRole('link', { name: 'Limits' }).click()
    await page.waitForURL('**/docs/en/limits')
    await page.getByRole('link', { name: 'Português' }).click()
    await page.waitForURL('**/docs/limits')
  })
})
