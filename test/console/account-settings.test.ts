/** The pages of settings (D325), credit and the set-up of a phone (D328), as an ADMIN uses them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { creditWords } from '../../console/pages/credit/words.ts'
import { extensionWords } from '../../console/pages/extensions/words.ts'
import { settingsWords } from '../../console/pages/settings/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '25000-25999' }

describe.skipIf(programMissing('chromium'))('an ADMIN', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService(settings, { engine: undefined })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark' },
  ] as const)(
    'changes the settings, downloads the statement and sets up Linphone ($language, $width px, $theme)',
    async ({ language, locale, width, theme }) => {
      const admin = await openAccount(service)
      await service.api.post('/numbers', { number: `1133330${width}`.slice(0, 10) }, admin)
      const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
      await service.api.post('/extensions', { ...person, ramal: '1000', email_address: admin.email }, admin)
      const look = { locale, colorScheme: theme, width }
      const { context, page, errors } = await openConsole(browser, service.url, look)
      onTestFinished(() => context.close())
      const words = { ...commonWords[language], ...shellWords[language] }
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
      const open = async (path: string, title: string) => {
        await page.goto(`/console${path}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      }
      await page.goto('/console')
      await page.getByLabel(words.email).fill(admin.email)
      await page.getByLabel(words.password).fill(password)
      await press(words.signIn)
      await page.getByLabel(words.password).waitFor({ state: 'detached' })

      const preferences = settingsWords[language]
      await open('/settings', preferences.title)
      const form = page.locator('form').filter({ has: page.getByLabel(preferences.timeZone) })
      await form.getByLabel(preferences.timeZone).selectOption('Asia/Tokyo')
      await form.getByLabel(preferences.bina).selectOption({ index: 1 })
      await form.getByLabel(preferences.recordingDays).fill('30')
      await form.getByLabel(preferences.lowBalance).fill('12.50')
      await form.getByRole('button', { name: words.save }).click()
      const stored = async () => (await service.api.get('/accounts/settings', admin)).body
      await expect.poll(stored).toMatchObject({
        timeZone: 'Asia/Tokyo',
        recordingDays: 30,
        lowBalance: 12.5,
        bina: expect.stringMatching(/^5511/),
      })
      await expectAccessible(page, 'settings')

      const credit = creditWords[language]
      await open('/credit', credit.title)
      // The trial credit was given at noon UTC, which is the evening in Tokyo.
      await page.getByRole('row').getByText(/21:00/).waitFor()
      await page.getByLabel(credit.priceTo).fill('48999998888')
      await press(credit.showPrice)
      await page.getByText(credit.blocks(30, 6, 3)).waitFor()
      await expectAccessible(page, 'credit')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: words.exportCsv }).click(),
      ])
      expect(download.suggestedFilename()).toBe('statement.csv')

      const extension = extensionWords[language]
      await open('/extensions', extension.title)
      await page.getByRole('button', { name: extension.setUp }).first().click()
      await press(extension.showCode)
      const here = page.getByRole('link', { name: extension.openHere })
      expect(await here.getAttribute('href')).toMatch(/^linphone-config:http:\/\/.+\/phone-setup\/\w{32}$/)
      await expectAccessible(page, 'set-up sheet')
      expect(errors).toEqual([])
    },
  )
})
