/** The page of requests (D619) in Chromium: an X-Request-Id from a program's log is looked up. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { requestWords } from '../../console/pages/requests/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

describe.skipIf(programMissing('chromium'))('in a browser', () => {
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
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark' },
  ] as const)('an ADMIN finds a refused request by its id ($language, $width px)', async (story) => {
    const { language, locale, width, theme } = story
    const words = requestWords[language]
    const admin = await openAccount(service)
    const refused = await service.api.post('/calls', { extension: '9999', called: '5548999998888' }, admin)
    const id = refused.headers.get('x-request-id') ?? ''
    await service.api.get('/users/me', admin)
    await service.tick('request log')
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale,
      colorScheme: theme,
      width,
    })
    onTestFinished(() => context.close())
    await page.goto('/console/requests')
    await typePassword(page, { ...shellWords[language], ...commonWords[language] }, password, admin.email)
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await page.getByText('GET /users/me').first().waitFor()
    await page.getByLabel(words.requestId).fill(id)
    await page.getByText('GET /users/me').first().waitFor({ state: 'detached' })
    const row = page.getByRole('row').nth(1)
    expect(await row.textContent()).toContain('POST /calls')
    expect(await row.textContent()).toContain(refused.body.error.code)
    await expectAccessible(page, 'requests')
    await page.getByLabel(words.answer, { exact: true }).first().selectOption('ok')
    await page.getByText(words.empty).waitFor()
    expect(errors).toEqual([])
  })

  test('from the page of a call an ADMIN comes to its requests, and back by keyboard (D673)', async () => {
    const admin = await openAccount(service)
    const [id = ''] = await insertCalls(service.db, await accountIdOf(service.db, admin.domain), [{}])
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    const refused = await service.api.post(`/calls/${id}/hangup`, undefined, admin)
    await service.tick('request log')
    await page.goto(`/console/calls/${id}`)
    await typePassword(page, { ...shellWords.pt, ...commonWords.pt }, password, admin.email)
    await page.getByRole('link', { name: callPageWords.pt.requests }).press('Enter')
    await page.getByRole('heading', { level: 1, name: requestWords.pt.title }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'POST /calls/{id}/hangup' })
    await row.getByText(refused.body.error.code).waitFor()
    await expectAccessible(page, 'requests of a call')
    await row.getByRole('link', { name: id }).press('Enter')
    await page.waitForURL(`**/console/calls/${id}`)
    expect(errors).toEqual([])
  })

  test('a request of this moment appears by itself, though it is written only after it was looked for (D662)', async () => {
    const admin = await openAccount(service)
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/requests')
    await typePassword(page, { ...shellWords.pt, ...commonWords.pt }, password, admin.email)
    const words = requestWords.pt
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    const answer = await service.api.get('/users/me', admin)
    await page.getByLabel(words.requestId).fill(answer.headers.get('x-request-id') ?? '')
    await page.getByText(words.empty).waitFor()
    await service.tick('request log')
    await page.getByText('GET /users/me').waitFor()
  })
})
