/**
 * A person comes back to the console: a forgotten password, a second factor, a session that ends while a form is filled
 * in, a webhook delivery, calls as a file. One story a language; every page is checked for accessibility.
 */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { extensionWords } from '../../console/pages/extensions/words.ts'
import { integrationWords } from '../../console/pages/integrations/words.ts'
import { signUpWords } from '../../console/shell/sign-up-words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { deliveryWords } from '../../console/words/deliveries.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { startReceiver } from '../helpers/programs/receiver.ts'
import { appCode } from '../helpers/service/authenticator.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import { mailedLink, openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

const newPassword = 'a new and better one'

describe.skipIf(programMissing('chromium'))('a person who comes back', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on', WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: systemClock })
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
    'sets a password, signs in with a code, keeps a form, sees a delivery ($language, $width px, $theme)',
    async ({ language, locale, width, theme }) => {
      const words = { ...commonWords[language], ...shellWords[language], ...signUpWords[language] }
      const admin = await openAccount(service)
      const look = { locale, colorScheme: theme, width }
      const { context, page, errors } = await openConsole(browser, service.url, look)
      onTestFinished(() => context.close())
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
      const open = async (path: string, title: string) => {
        await page.goto(`/console${path}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      }

      // A forgotten password.
      const confirmation = await mailedLink(service, admin.email)
      await page.goto('/console')
      await page.getByRole('link', { name: words.forgot }).click()
      await page.getByLabel(words.email).fill(admin.email)
      await expectAccessible(page, 'forgotten password')
      await press(words.sendLink)
      await page.getByText(words.sent).waitFor()
      const link = () => mailedLink(service, admin.email)
      await expect.poll(link).not.toBe(confirmation)
      await page.goto(await link())
      await page.getByRole('textbox').fill(newPassword)
      await expectAccessible(page, 'new password')
      await page.getByRole('button').click()
      await page.getByRole('link', { name: words.signIn }).click()
      await typePassword(page, words, newPassword, admin.email)
      await page.getByRole('navigation').first().waitFor()

      // A webhook, its test event, and its delivery.
      const receiver = await startReceiver()
      onTestFinished(() => receiver.stop())
      const integration = integrationWords[language]
      await open('/integrations', integration.title)
      await press(integration.create)
      await page.getByLabel(integration.code).fill('my-crm')
      await page.getByLabel(integration.url).fill(receiver.url)
      await page.getByLabel(integration.constraint).fill('{"lead": 7}')
      await page.getByLabel(integration.code).focus()
      await page.getByText(integration.matching('0')).waitFor()
      await expectAccessible(page, 'form of an integration')
      await press(words.save)
      await page.getByRole('link', { name: 'my-crm' }).click()
      await press(integration.test)
      await receiver.until(1)
      await page.getByRole('row').getByText(deliveryWords[language].statuses.delivered).waitFor()
      await expectAccessible(page, 'integration')
      await page.getByLabel(commonWords[language].status, { exact: true }).selectOption('dead')
      await page.getByText(integration.nothingFound).waitFor()
      await page.getByLabel(commonWords[language].status, { exact: true }).selectOption('')
      await page.getByRole('row').getByRole('button').first().click()
      await page.getByRole('dialog').getByText('200').first().waitFor()
      await expectAccessible(page, 'delivery')
      await press(words.close)

      // Nothing has failed that could be sent again.
      await press(integration.recover)
      await expectAccessible(page, 'sending failed deliveries again')
      await press(deliveryWords[language].resend)
      await page.getByText(integration.recovered('0')).waitFor()

      // Calls as a file.
      const accountId = await accountIdOf(service.db, admin.domain)
      await insertCalls(service.db, accountId, [{}, {}, {}])
      const calls = callPageWords[language]
      await open('/calls', calls.title)
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: words.exportCsv }).click()
      const file = await readFile(await (await downloading).path(), 'utf8')
      expect(file.trim().split('\n')).toHaveLength(4)

      // The session ends while a form is filled in.
      const extension = extensionWords[language]
      await open('/extensions', extension.title)
      await press(extension.create)
      await page.getByLabel(extension.lastName).fill('Não Perdida')
      const token = await logIn(admin.email)
      await endSessions(token)
      await page.getByRole('heading', { name: words.expired }).waitFor()
      await expectAccessible(page, 'ended session')
      await typePassword(page, words, newPassword)
      await page.getByRole('heading', { name: words.expired }).waitFor({ state: 'detached' })
      expect(await page.getByLabel(extension.lastName).inputValue()).toBe('Não Perdida')
      await press(words.save)
      await page.getByRole('row').getByText('Não Perdida').first().waitFor()

      // The next sign-in needs the code of a second factor.
      const path = '/users/me/second-factor'
      const { secret } = (await service.api.post(path, { currentPassword: newPassword }, { token })).body
      const code = appCode(secret, new Date())
      expect((await service.api.post(`${path}/enable`, { code }, { token })).status).toBe(200)
      await context.clearCookies()
      await page.goto('/console')
      await typePassword(page, words, newPassword, admin.email)
      await page.getByLabel(words.code).fill(appCode(secret, new Date(), 1))
      await expectAccessible(page, 'second factor')
      await press(words.signIn)
      await page.getByRole('navigation').first().waitFor()
      expect(await whoIs(page)).toBe(admin.email)
      expect(errors).toEqual([])
    },
  )

  async function logIn(email: string): Promise<string> {
    return (await service.api.post('/users/login', { email, password: newPassword })).body.id
  }

  /** As the person may do it on another machine. */
  async function endSessions(token: string) {
    const { body } = await service.api.get('/users/accessTokens', { token })
    const sessions = body.filter(({ kind }: { kind: string }) => kind === 'session')
    expect(sessions.length).toBeGreaterThan(0)
    for (const { ref } of sessions) await service.api.delete(`/users/accessTokens/${ref}`, { token })
  }
})

async function whoIs(page: Page): Promise<string> {
  return await page.evaluate<string>(
    `fetch('/api/v1/users/me').then((answer) => answer.json()).then(({ email }) => email)`,
  )
}
