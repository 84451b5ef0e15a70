/** D312: the credential of a page lasts 15 minutes, the page for days. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { minutes } from '../../helpers/run/test-clock.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { openConsole, startChromium, typePassword } from '../console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '28000-28099' }
const words = { ...commonWords.en, ...shellWords.en }
const look = { locale: 'en-GB', colorScheme: 'light', width: 1280 } as const

describe.skipIf(programMissing('chromium'))('the phone of a page that stays open', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService(settings, { engine: undefined })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('registers with a new credential before the old one ends, again and again', async () => {
    const account = await openAccount(service)
    const extension = { ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const person = { ...extension, email_address: account.email }
    const { body } = await service.api.post('/extensions', person, account)
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.clock.install()
    await page.goto('/console/phone')
    await typePassword(page, words, account.password, account.email)
    const isReady = () => page.locator('[data-phone=ready]').waitFor()
    await isReady()
    const issued = async () => {
      const where = JSON.stringify({ where: { action: 'extension.credential-issued' } })
      const { body: log } = await service.api.get(`/accounts/audit?page=1&filter=${where}`, account)
      return log.data.length
    }
    const isRegistered = async () =>
      (await service.api.get(`/extensions/${body.id}`, account)).body.registered
    expect([await issued(), await isRegistered()]).toEqual([1, true])
    for (let renewals = 1; renewals <= 3; renewals += 1) {
      service.clock.advance(10 * minutes)
      await page.clock.fastForward(10 * 60_000)
      await expect.poll(issued).toBeGreaterThan(renewals)
      await expect.poll(isRegistered).toBe(true)
      await isReady()
    }
  })
})
