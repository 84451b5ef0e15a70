/** D519: a recording that was lost is shown on the page of its call and in the history (D591), in both languages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

describe.skipIf(programMissing('chromium'))('a recording that was lost', () => {
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
  ] as const)('is shown otherwise than a call that was not recorded ($language, $width px)', async (look) => {
    const { language } = look
    const words = callPageWords[language]
    const admin = await openAccount(service)
    const accountId = await accountIdOf(service.db, admin.domain)
    const [lost, unrecorded] = await insertCalls(service.db, accountId, [{ recording: 'lost' }, {}])
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto(`/console/calls/${lost}`)
    await typePassword(
      page,
      { ...commonWords[language], ...shellWords[language] },
      admin.password,
      admin.email,
    )
    await page.getByText(words.lostRecordingAbout).waitFor()
    await expectAccessible(page, 'a call whose recording was lost')
    await page.goto(`/console/calls/${unrecorded}`)
    await page.getByText(words.noRecording).waitFor()
    expect(await page.getByText(words.lostRecordingAbout).count()).toBe(0)

    await page.goto('/console/calls')
    const row = (id: string | undefined) =>
      page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
    await row(lost).getByText(words.lostRecording).waitFor()
    await row(unrecorded).waitFor()
    expect(await page.getByText(words.lostRecording).count()).toBe(1)
    await expectAccessible(page, 'the history with a lost recording')
    expect(errors).toEqual([])
  })
})
