/** The phone of the console rings and is answered: by whom it is rung, and by what it is answered, with sound both ways. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { phoneWords } from '../../console/phone/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { openAccount } from '../helpers/people.ts'
import { programMissing } from '../helpers/programs.ts'
import { type Service, startService } from '../helpers/service.ts'
import { heardHertz, openConsole, startChromium, typePassword } from './console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '29000-29999' }
/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
const playingNumber = '48999990009'
const words = { ...commonWords.pt, ...shellWords.pt, ...phoneWords.pt }

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

  test('is rung by POST /calls, answered by its button, and stays in the call that is heard', async () => {
    const account = await openAccount(service)
    const extension = { ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    await service.api.post('/extensions', { ...extension, email_address: account.email }, account)
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    await typePassword(page, words, account.password, account.email)
    await page.locator('[data-phone=ready]').waitFor()

    const { body } = await service.api.post('/calls', { extension: '1000', called: playingNumber }, account)
    await page.getByRole('button', { name: words.answer, exact: true }).click()
    await expect.poll(() => heardHertz(page)).toBe(1000)
    await page.locator('[data-call=talking]').waitFor()
    await page.getByRole('button', { name: words.hangUp, exact: true }).click()
    await page.locator('[data-call]').waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await service.api.get(`/calls/${body.id}`, account)).body)
      .toMatchObject({ hangup_cause: 'NORMAL_CLEARING' })
    expect(errors).toEqual([])
  })
})
