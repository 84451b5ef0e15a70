/** The pages of operators with names (D648): the set-up link, the log-in, and the list of operators. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { peopleWords } from '../../console/operator/people/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { appCode } from '../helpers/service/authenticator.ts'
import { addOperator } from '../helpers/service/operators.ts'
import { password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on' })
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
    'an operator sets up, logs in, adds another and leaves ($language, $width px)',
    async (story) => {
      const { language, locale, width, theme } = story
      const [words, people] = [operatorWords[language], peopleWords[language]]
      const [shell, common] = [shellWords[language], commonWords[language]]
      const email = `rita-${language}@operator.example`
      const { link } = await addOperator(service, email)
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())

      await page.goto(link)
      await page.getByRole('heading', { level: 1, name: people.setUp }).waitFor()
      await page.getByRole('img', { name: people.qr }).waitFor()
      const secret = (await page.locator('code').first().textContent()) ?? ''
      await page.getByLabel(people.newPassword).fill(password)
      await page.getByLabel(common.appCode).fill(appCode(secret, service.clock.now()))
      await expectAccessible(page, 'set-up')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: people.done }).waitFor()
      expect((await page.locator('pre').textContent())?.split('\n')).toHaveLength(10)
      await expectAccessible(page, 'recovery codes')
      await page.getByRole('link', { name: people.toLogIn }).click()

      service.clock.advance(30)
      await page.getByLabel(common.email).fill(email)
      await page.getByLabel(common.password, { exact: true }).fill(password)
      await expectAccessible(page, 'log-in')
      await page.keyboard.press('Enter')
      await page.getByLabel(shell.code).fill(appCode(secret, service.clock.now()))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()

      await page.goto('/operator/operators')
      await page.getByText(email).first().waitFor()
      await page.getByRole('button', { name: people.add }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(common.name).fill('Ana Souza')
      await dialog.getByLabel(common.email).fill(`ana-${language}@operator.example`)
      await dialog.getByLabel(people.ownPassword).fill('not the password')
      await page.keyboard.press('Enter')
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel(people.ownPassword).fill(password)
      await expectAccessible(page, 'add an operator')
      await page.keyboard.press('Enter')
      await dialog.getByText('/operator/set-up#').waitFor()
      await expectAccessible(page, 'set-up link')
      await dialog.getByRole('button', { name: common.close }).last().click()
      await page.getByText(`ana-${language}@operator.example`).first().waitFor()
      await expectAccessible(page, 'operators')

      await page.goto('/operator/log')
      await page.getByText(words.actionNames['operator.added']).first().waitFor()
      await expectAccessible(page, 'log')
      // D669: the log of one operator, with the keyboard; the address keeps the filter.
      await page.getByLabel(words.who, { exact: true }).selectOption({ label: `Rita Campos (${email})` })
      await page.waitForURL(/operator=rita-/)
      await page.locator('tbody').getByText(words.token).first().waitFor({ state: 'detached' })
      await page.getByText(words.actionNames['operator.logged-in']).first().waitFor()
      // D679: by name, without what says nothing.
      const logged = page.locator('tbody')
      await logged.getByText('Rita Campos').first().waitFor()
      expect(await logged.textContent()).not.toMatch(/sessionsEnded|secondFactor|: 0/)
      expect(errors).toEqual([])
    },
  )

  test('the operator token is still a way in', async () => {
    const words = operatorWords.pt
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/operator')
    await page.getByRole('button', { name: words.withToken }).click()
    await page.getByLabel(words.token).fill(service.app.operatorToken?.token ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()
  })
})
