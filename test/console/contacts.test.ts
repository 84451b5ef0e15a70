/** D596, D598: the page of contacts, with an import after its preview, in both languages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contactWords } from '../../console/pages/contacts/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

const file = 'Nome;Telefone\r\nCarla Dias;48 99999-8888\r\nErrado;123\r\n'

describe.skipIf(programMissing('chromium'))('the page of contacts', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on' }, { clock: systemClock })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, colorScheme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, colorScheme: 'dark' },
  ] as const)('adds one, and imports others after a preview ($language, $width px)', async (look) => {
    const { language } = look
    const [words, common] = [contactWords[language], commonWords[language]]
    const admin = await openAccount(service)
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    await page.goto('/console/contacts')
    await typePassword(page, { ...common, ...shellWords[language] }, password, admin.email)
    await page.getByText(words.noneAbout).waitFor()
    await press(words.add)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.name).fill('Bruno Lima')
    await dialog.getByLabel(words.numbers).fill('48 3333-4444')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Bruno Lima' }).waitFor()

    await press(words.import)
    const csv = { name: 'contatos.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
    await dialog.getByLabel(words.file).setInputFiles(csv)
    await press(words.preview)
    await dialog.getByText(words.counts(1, 0, 0, 1)).waitFor()
    await dialog.getByText(words.problems['invalid-number']).waitFor()
    await expectAccessible(page, 'the preview of an import')
    const count = async () => (await service.api.get('/contacts', admin)).body.meta.totalItemCount
    expect(await count()).toBe(1)
    await press(words.importNow(1))
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Carla Dias' }).waitFor()
    expect(await count()).toBe(2)
    await page.getByLabel(words.search).fill('carla')
    await page.getByRole('row').filter({ hasText: 'Bruno Lima' }).waitFor({ state: 'detached' })
    await expectAccessible(page, 'contacts')
    expect(errors).toEqual([])
  })
})
