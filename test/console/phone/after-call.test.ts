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
const busy = '48999990002'
const wide = { language: 'pt', locale: 'pt-BR', width: 1280, colorScheme: 'light' } as const
const narrow = { language: 'en', locale: 'en-GB', width: 360, colorScheme: 'dark' } as const

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

  /** In a new account whose language is that of the page. */
  async function openPhone(look: typeof wide | typeof narrow) {
    const { language } = look
    const admin = await openAccount(service)
    await service.api.patch('/accounts/settings', { language }, admin)
    const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const extension = { ...person, ramal: '1000', email_address: admin.email }
    expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    const words = { ...commonWords[language], ...shellWords[language] }
    await typePassword(page, words, password, admin.email)
    await page.locator('[data-phone=ready]').waitFor()
    return { admin, page, errors }
  }

  test.each([
    { look: wide, label: 'Caixa postal' },
    { look: narrow, label: 'Voicemail' },
  ])('is said by a digit, a note and Enter ($look.language, $look.width px)', async ({ look, label }) => {
    const { language } = look
    const words = phoneWords[language]
    const results = resultWords[language]
    const { admin, page, errors } = await openPhone(look)
    const main = page.getByRole('main')
    await main.getByLabel(words.number).fill(answering)
    await main.getByRole('button', { name: words.call, exact: true }).click()
    await page.locator('[data-call=talking]').waitFor()
    await page.getByRole('button', { name: words.hangUp, exact: true }).first().click()
    const card = page.locator('[data-after-call]')
    await card.getByRole('button', { name: label }).waitFor()
    await expectAccessible(page, 'the card after a call')
    // Keys of a dialog are not the card's, also when what is beside it was clicked.
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.mouse.click(3, 3)
    await page.keyboard.press('6')
    expect(await card.locator('[aria-pressed=true]').count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await card.count()).toBe(1)
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

  test('is said without a mouse: after the number is dialled by Enter, digits are tones, then an outcome, then the next number (D661)', async () => {
    const { admin, page } = await openPhone(wide)
    const { keyboard } = page
    const field = page.getByRole('main').getByLabel(phoneWords.pt.number)
    const hangUp = page.getByRole('button', { name: phoneWords.pt.hangUp, exact: true })
    const isOn = async (button: typeof hangUp) =>
      await button.evaluate((element) => element === element.ownerDocument.activeElement)
    await field.focus()
    for (const number of [answering, '(48) 99999-0009']) {
      await keyboard.type(number)
      expect(await field.inputValue()).toBe(number)
      await keyboard.press('Enter')
      await page.locator('[data-call=talking]').waitFor()
      await keyboard.press('5')
      expect(await field.inputValue()).toBe(number)
      for (let keys = 0; keys < 6 && !(await isOn(hangUp)); keys += 1) await keyboard.press('Tab')
      await keyboard.press('Enter')
      await page.locator('[data-after-call]').waitFor()
      await keyboard.press('1')
      await keyboard.press('Enter')
      await page.locator('[data-after-call]').waitFor({ state: 'detached' })
    }
    const filter = encodeURIComponent('{"fields":["outcome"]}')
    const { data } = (await service.api.get(`/calls?page=1&filter=${filter}`, admin)).body
    expect(data).toEqual([{ outcome: 'sale' }, { outcome: 'sale' }])
  })

  test('a call that nobody answers leaves the number to be dialled again or replaced', async () => {
    const { page } = await openPhone(wide)
    const field = page.getByRole('main').getByLabel(phoneWords.pt.number)
    await field.fill(busy)
    await page.keyboard.press('Enter')
    await page.locator('[data-reason=USER_BUSY]').waitFor()
    await page.keyboard.type(answering)
    expect(await field.inputValue()).toBe(answering)
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
