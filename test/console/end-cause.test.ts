/** D584: the history and the page of a call tell a busy phone of the extension from a busy destination. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { callWords } from '../../console/words/calls.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { openConsole, startChromium, typePassword } from './console-browser.ts'

describe.skipIf(programMissing('chromium'))('a call that was busy', () => {
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

  test('says on whose side, in the history and on its page', async () => {
    const look = { locale: 'pt-BR', width: 1600, colorScheme: 'light' } as const
    const { parties } = callPageWords.pt
    const { causes } = callWords.pt
    const admin = await openAccount(service)
    const accountId = await accountIdOf(service.db, admin.domain)
    const busy = { status: 'busy', hangup_cause: 'USER_BUSY' } as const
    const [agent, customer, answered] = await insertCalls(service.db, accountId, [
      { ...busy, ended_by: 'extension' },
      { ...busy, ended_by: 'destination' },
      {
        status: 'completed',
        hangup_cause: 'NORMAL_CLEARING',
        answered_at: new Date(),
        ended_by: 'extension',
      },
    ])
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/calls')
    await typePassword(page, { ...commonWords.pt, ...shellWords.pt }, admin.password, admin.email)
    const row = (id: string | undefined) =>
      page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
    await row(agent).getByText(`${causes.USER_BUSY} (${parties.extension})`).waitFor()
    await row(customer).getByText(`${causes.USER_BUSY} (${parties.destination})`).waitFor()
    await row(answered).getByText(causes.NORMAL_CLEARING, { exact: true }).waitFor()
    await page.goto(`/console/calls/${agent}`)
    await page.getByRole('definition').getByText(`${causes.USER_BUSY} (${parties.extension})`).waitFor()
    expect(errors).toEqual([])
  })
})
