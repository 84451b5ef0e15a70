/** D592: the card after a call in three keys, and the result in the history and on the page of the call. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { resultWords } from '../../../console/words/results.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from '../console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '25000-25999' }
/** A number of the sandbox carrier that answers at once. */
const answering = '48999990009'

describe.skipIf(programMissing('chromium'))('what came of a call', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService(settings, { engine: undefined, clock: systemClock })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, colorScheme: 'light', label: 'Caixa postal' },
    { language: 'en', locale: 'en-GB', width: 360, colorScheme: 'dark', label: 'Voicemail' },
  ] as const)('is said by a digit, a note and Enter ($language, $width px)', async (look) => {
    const { language, label } = look
    const words = { ...commonWords[language], ...shellWords[language], ...phoneWords[language] }
    const results = resultWords[language]
    const admin = await openAccount(service)
    await service.api.patch('/accounts/settings', { language }, admin)
    const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const extension = { ...person, ramal: '1000', email_address: admin.email }
    expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    await typePassword(page, words, password, admin.email)
    await page.locator('[data-phone=ready]').waitFor()
    const main = page.getByRole('main')
    await main.getByLabel(words.number).fill(answering)
    await main.getByRole('button', { name: words.call, exact: true }).click()
    await page.locator('[data-call=talking]').waitFor()
    await page.getByRole('button', { name: words.hangUp, exact: true }).first().click()
    const card = page.locator('[data-after-call]')
    await card.getByRole('button', { name: label }).waitFor()
    await expectAccessible(page, 'the card after a call')
    await page.keyboard.press('6')
    await page.keyboard.type('Liga na sexta')
    await page.keyboard.press('Enter')
    await card.waitFor({ state: 'detached' })
    const [{ id }] = (await service.api.get('/calls?page=1', admin)).body.data
    expect((await service.api.get(`/calls/${id}`, admin)).body).toMatchObject({
      outcome: 'voicemail',
      notes: 'Liga na sexta',
      tags: [],
    })

    await page.goto(`/console/calls/${id}`)
    await page.getByLabel(results.notes).waitFor()
    expect(await page.getByLabel(results.notes).inputValue()).toBe('Liga na sexta')
    expect(await page.getByRole('button', { name: label }).getAttribute('aria-pressed')).toBe('true')
    await page.getByLabel(results.tags).fill('VIP, promo')
    await page.getByRole('button', { name: results.save, exact: true }).click()
    await page.getByText(results.saved).first().waitFor()
    expect((await service.api.get(`/calls/${id}`, admin)).body.tags).toEqual(['promo', 'vip'])
    await expectAccessible(page, 'a call with its result')
    await page.goto('/console/calls')
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
    await row.waitFor()
    expect(await row.textContent()).toContain(label)
    expect(errors).toEqual([])
  })

  test('is read, not changed, by a USER whose call it is not', async () => {
    const words = { ...commonWords.pt, ...shellWords.pt }
    const admin = await openAccount(service)
    const user = await addUser(service, admin)
    const [id] = await insertCalls(service.db, await accountIdOf(service.db, admin.domain), [{}])
    await service.api.patch(
      `/calls/${id}`,
      { outcome: 'sale', tags: ['vip'], notes: 'Mandar contrato' },
      admin,
    )
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto(`/console/calls/${id}`)
    await typePassword(page, words, password, user.email)
    // In the result, and in its history.
    await page.getByText('Mandar contrato').first().waitFor()
    expect(await page.getByRole('button', { name: resultWords.pt.save, exact: true }).count()).toBe(0)
  })
})
