/** D596: who is on the line, and whom one may call: contacts and colleagues in the phone of the console. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { peopleWords } from '../../../console/words/people.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from '../console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '24000-24999' }
/** A number of the sandbox carrier that answers at once. */
const answering = '5548999990009'

describe.skipIf(programMissing('chromium'))('the phone of the console', () => {
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
    { language: 'pt', locale: 'pt-BR', width: 1280, colorScheme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, colorScheme: 'dark' },
  ] as const)('knows contacts and colleagues ($language, $width px)', async (look) => {
    const { language } = look
    const words = { ...commonWords[language], ...shellWords[language], ...phoneWords[language] }
    const people = peopleWords[language]
    const admin = await openAccount(service)
    const senha = 's3nha-do-ramal'
    for (const extension of [
      { ramal: '1000', senha, first_name: 'Ana', last_name: 'Souza', email_address: admin.email },
      { ramal: '1001', senha, first_name: 'Bia', last_name: 'Lima', email_address: `bia@${admin.domain}` },
    ])
      expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    const contact = { name: 'Carla Dias', company: 'Mercado Dias', numbers: [answering] }
    expect((await service.api.post('/contacts', contact, admin)).status).toBe(200)
    const accountId = await accountIdOf(service.db, admin.domain)
    const calls = Array.from({ length: 4 }, () => ({ to_number: answering }))
    const [id] = await insertCalls(service.db, accountId, calls)
    await service.api.patch(`/calls/${id}`, { outcome: 'voicemail', notes: 'Fala com o Paulo' }, admin)

    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    await typePassword(page, words, password, admin.email)
    await page.locator('[data-phone=ready]').waitFor()
    const main = page.getByRole('main')
    await main.getByLabel(words.number).fill('carla')
    const suggested = main.locator('datalist option')
    await expect.poll(() => suggested.allTextContents()).toContain('Carla Dias · Mercado Dias')
    expect(await suggested.allTextContents()).toContain(`Bia Lima · ${people.presence.offline}`)

    await main.getByLabel(words.number).fill(answering)
    await main.getByRole('button', { name: words.call, exact: true }).click()
    const shown = page.locator('.known-contact').first()
    await shown.getByText('Carla Dias').waitFor()
    await shown.getByText('Fala com o Paulo').waitFor()
    expect(await shown.getByRole('listitem').count()).toBe(3)
    await page.locator('[data-call=talking]').waitFor()
    await expectAccessible(page, 'a call with a contact')
    await page.getByRole('button', { name: words.transfer, exact: true }).first().click()
    const colleagues = page.getByRole('list', { name: people.colleagues }).getByRole('button')
    const shownColleagues = () => colleagues.allTextContents()
    await expect.poll(shownColleagues).toEqual([`1001Bia Lima${people.presence.offline}`])
    await expectAccessible(page, 'a transfer')
    await page.getByLabel(words.transferTo).fill('bia')
    await page.getByLabel(words.transferTo).press('Tab')
    await colleagues.first().focus()
    await page.keyboard.press('Enter')
    expect(await page.getByLabel(words.transferTo).inputValue()).toBe('1001')
    await page.getByRole('button', { name: words.hangUp, exact: true }).first().click()
    expect(errors).toEqual([])
  })

  test('asks for the contacts that match once the person pauses, not at each key', async () => {
    const admin = await openAccount(service)
    const words = { ...commonWords.en, ...shellWords.en, ...phoneWords.en }
    const senha = 's3nha-do-ramal'
    const extension = {
      ramal: '1000',
      senha,
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: admin.email,
    }
    expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    const look = { language: 'en', locale: 'en-GB', width: 1280, colorScheme: 'light' } as const
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.clock.install()
    await page.goto('/console/phone')
    await typePassword(page, words, password, admin.email)
    await page.locator('[data-phone=ready]').waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    const searches: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/contacts')) searches.push(searchParams.get('search'))
    })
    for (const key of 'carla') {
      await page.getByRole('main').getByLabel(words.number).press(key)
      await page.clock.runFor(50)
    }
    expect(searches).toEqual([])
    await page.clock.runFor(300)
    await expect.poll(() => searches).toEqual(['carla'])
  })
})
