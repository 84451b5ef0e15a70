/** A service with the console and Chromium, for stories of everyday work. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { createFakeEngine } from '../../../src/engine/fake.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { openConsole, shiftMeter, startChromium, typePassword } from '../console-browser.ts'

export const signInWords = { ...commonWords.pt, ...shellWords.pt }

/** In Portuguese, at 1280 pixels unless `width` says otherwise. */
export function useDesk(settings: Record<string, string> = {}) {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService(
      { CONSOLE: 'on', ...settings },
      { clock: systemClock, engine: (host) => createFakeEngine(host, { now: () => new Date() }) },
    )
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** A page of somebody who signs in; fails the test by what it logs as an error. */
  async function signIn(email: string, width = 1280): Promise<Page> {
    const look = { locale: 'pt-BR', colorScheme: 'light', width } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(async () => {
      await context.close()
      expect(errors).toEqual([])
    })
    await context.addInitScript(shiftMeter)
    await page.goto('/console')
    await typePassword(page, signInWords, password, email)
    await page.getByRole('navigation').first().waitFor()
    return page
  }

  return {
    service: () => service,
    signIn,
    async openAccount() {
      const admin = await openAccount(service)
      return { admin, page: await signIn(admin.email) }
    },
  }
}
