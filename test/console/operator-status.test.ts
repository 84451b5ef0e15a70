/** The status page: written by the operator at the desk, read by a customer without a log-in (D625, D626). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { statusWords } from '../../console/operator/status/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { statusWords as publicWords } from '../../src/http/pages/status/words.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { hideDatabase } from '../helpers/run/test-database.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const seen = {
  pt: {
    works: 'Tudo funciona',
    down: 'Parte do serviço está fora do ar',
    degraded: 'Parte do serviço está com problemas',
    away: 'O banco de dados do serviço não responde.',
    other: 'English',
  },
  en: {
    works: 'Everything works',
    down: 'A part of the service is down',
    degraded: 'A part of the service has problems',
    away: 'The database of the service does not answer.',
    other: 'Português',
  },
}

/** Nothing must be scrolled sideways. */
const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each(['pt', 'en'] as const)('the operator reads the names that customers read (%s)', (language) => {
  const { components, states, stages, kinds } = statusWords[language]
  const { names, ...shown } = publicWords[language]
  expect(components).toEqual(Object.fromEntries(Object.entries(names).map(([id, { name }]) => [id, name])))
  expect([states, stages, kinds]).toEqual([shown.states, shown.stages, shown.kinds])
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  let service: Service
  beforeAll(async () => {
    browser = await startChromium()
    service = await startService({ CONSOLE: 'on' })
    await service.app.consoleBuild?.finished
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const looks = [
    { language: 'pt', locale: 'pt-BR', width: 1280, colorScheme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, colorScheme: 'dark' },
  ] as const

  test.each(looks)(
    'the operator writes an incident by keyboard, and a customer reads each step ($language, $width px)',
    async ({ language, ...look }) => {
      const words = operatorWords[language]
      const own = statusWords[language]
      const common = commonWords[language]
      const desk = await openConsole(browser, service.url, look)
      const home = await openConsole(browser, service.url, look)
      onTestFinished(async () => {
        await desk.context.close()
        await home.context.close()
      })
      const { page } = desk
      const customer = home.page
      const press = async (label: string) => {
        await page.getByRole('button', { name: label, exact: true }).first().focus()
        await page.keyboard.press('Enter')
      }
      const send = async () => {
        await dialog.getByRole('button', { name: own.publish }).focus()
        await page.keyboard.press('Enter')
      }
      const dialog = page.getByRole('dialog')
      const title = `Chamadas externas falham (${language})`
      const reload = async (heading: string) => {
        await customer.goto('/status')
        await customer.getByRole('heading', { level: 1, name: heading }).waitFor()
        await expectAccessible(customer, 'status')
      }
      await reload(seen[language].works)
      expect(await customer.evaluate(fits)).toBe(true)

      await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
      await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()
      if (look.width === 360) await press(common.more)
      await page.getByRole('link', { name: words.status, exact: true }).last().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: words.status }).waitFor()
      await page.getByText(own.noneOpen).waitFor()
      await expectAccessible(page, 'desk')

      await press(own.openIncident)
      await dialog.getByLabel(own.title, { exact: true }).fill(title)
      await dialog.getByLabel(own.text, { exact: true }).fill('Estamos investigando.')
      await dialog.getByLabel(own.textEn).fill('We are looking into it.')
      await dialog.getByLabel(own.impact).selectOption('outage')
      await send()
      // Nothing is affected: the service says so.
      await dialog.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
      await expectAccessible(page, 'new incident')
      await dialog.getByLabel(own.components.carriers, { exact: true }).focus()
      await page.keyboard.press('Space')
      await send()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: own.updateTitle(title) }).waitFor()
      await reload(seen[language].down)
      await customer.getByRole('heading', { level: 3, name: title }).waitFor()
      await customer
        .getByText(language === 'pt' ? 'Estamos investigando.' : 'We are looking into it.')
        .first()
        .waitFor()

      await press(own.updateTitle(title))
      await dialog.getByLabel(own.stage).selectOption('identified')
      await dialog.getByLabel(own.impact).selectOption('degraded')
      await dialog.getByLabel(own.text, { exact: true }).fill('Achamos a causa.')
      await expectAccessible(page, 'update')
      await send()
      await dialog.waitFor({ state: 'detached' })
      await reload(seen[language].degraded)

      await press(own.updateTitle(title))
      await dialog.getByLabel(own.stage).selectOption('resolved')
      await dialog.getByLabel(own.text, { exact: true }).fill('Resolvido.')
      await send()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(own.noneOpen).waitFor()
      expect(await page.evaluate(fits)).toBe(true)
      await reload(seen[language].works)
      await customer.getByText('Resolvido.').first().waitFor()
      await customer.getByRole('link', { name: seen[language].other }).click()
      const opposite = language === 'pt' ? 'en' : 'pt'
      await customer.getByRole('heading', { level: 1, name: seen[opposite].works }).waitFor()
      expect([...desk.errors, ...home.errors]).toEqual([])
    },
  )

  test.each(looks)(
    'maintenance is planned with its time, and customers read when it begins ($language, $width px)',
    async ({ language, ...look }) => {
      const own = statusWords[language]
      const { context, page, errors } = await openConsole(browser, service.url, look)
      onTestFinished(() => context.close())
      const dialog = page.getByRole('dialog')
      const title = `Troca de servidores (${language})`
      await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.goto('/operator/status')
      await page.getByRole('button', { name: own.planMaintenance }).click()
      await dialog.getByLabel(own.title, { exact: true }).fill(title)
      await dialog.getByLabel(own.text, { exact: true }).fill('Haverá interrupções curtas.')
      await dialog.getByLabel(own.components.calls, { exact: true }).check()
      await dialog.getByRole('button', { name: own.publish }).click()
      await dialog.locator('input[name=startsAt][aria-invalid=true]').waitFor()
      await expectAccessible(page, 'maintenance')
      await dialog.getByLabel(own.startsAt).fill('2027-03-01T03:00')
      await dialog.getByLabel(own.endsAt).fill('2027-03-01T05:00')
      await dialog.getByRole('button', { name: own.publish }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.goto('/status')
      await page.getByRole('heading', { level: 3, name: title }).waitFor()
      expect(await page.locator('time[datetime^="2027-03-01"]').count()).toBeGreaterThanOrEqual(2)
      await page.goto('/operator/status')
      await page.getByRole('button', { name: own.updateTitle(title) }).click()
      expect(await dialog.getByLabel(own.startsAt).inputValue()).toBe('2027-03-01T03:00')
      await dialog.getByLabel(own.stage).selectOption('done')
      await dialog.getByLabel(own.text, { exact: true }).fill('Concluída.')
      await dialog.getByRole('button', { name: own.publish }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(errors).toEqual([])
    },
  )

  test('a customer reads that the service is down while its database is away', async () => {
    const own = await startService()
    const { context, page, errors } = await openConsole(browser, own.url, looks[0])
    onTestFinished(async () => {
      await context.close()
      await own.stop()
    })
    const { show } = await hideDatabase(own.database.url)
    await page.goto('/status')
    await page.getByRole('heading', { level: 1, name: seen.pt.down }).waitFor()
    await page.getByRole('alert').filter({ hasText: seen.pt.away }).waitFor()
    await expectAccessible(page, 'status without the database')
    expect(errors).toEqual([])
    await show()
  })
})
