/** Reasons that the phone of the console shows when a call fails, and its keys during a call. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { reasonWords } from '../../../console/phone/reason-words.ts'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from '../console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '26000-26999' }
const words = { ...commonWords.pt, ...shellWords.pt, ...phoneWords.pt }
/** Numbers of the sandbox carrier: one answers at once, one does not. */
const answering = '48999990009'
const busy = '48999990002'
const unknown = '48999990004'

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

  async function openPhone() {
    const admin = await openAccount(service)
    const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const extension = { ...person, ramal: '1000', email_address: admin.email }
    expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    await typePassword(page, words, password, admin.email)
    await page.locator('[data-phone=ready]').waitFor()
    const main = page.getByRole('main')
    async function dial(number: string) {
      await main.getByLabel(words.number).fill(number)
      await main.getByRole('button', { name: words.call, exact: true }).click()
    }
    return { page, errors, dial }
  }

  test('D611: says in one sentence why a call failed, until it is closed or the next call is dialled', async () => {
    const { page, errors, dial } = await openPhone()
    for (const [number, reason] of [
      [busy, 'USER_BUSY'],
      [unknown, 'UNALLOCATED_NUMBER'],
      ['190', 'EMERGENCY_NUMBER'],
      ['1000', 'OWN_EXTENSION'],
      ['12', 'UNALLOCATED_NUMBER'],
      ['+1 212 555 1234', 'OUTGOING_CALL_BARRED'],
      ['Maria', 'INVALID_NUMBER_FORMAT'],
    ] as const) {
      await dial(number)
      const panel = page.locator(`[data-reason=${reason}]`)
      await panel.getByText(reasonWords.pt[reason]).waitFor()
      expect(await panel.getByRole('button', { name: words.callAgain }).count(), number).toBe(
        reason === 'USER_BUSY' ? 1 : 0,
      )
      if (reason === 'USER_BUSY') await expectAccessible(page, 'a call that failed')
      else await panel.getByRole('button', { name: words.close }).click()
    }
    expect(await page.locator('[data-reason]').count()).toBe(0)
    expect(errors).toEqual([])
  })

  test('D612: Escape does not hang up, and a muted microphone is said in words', async () => {
    const { page, errors, dial } = await openPhone()
    await dial(answering)
    await page.locator('[data-call=talking]').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('m')
    await page.getByText(words.muted).waitFor()
    await expectAccessible(page, 'muted')
    await page.keyboard.press('m')
    await page.getByText(words.muted).waitFor({ state: 'detached' })
    expect(await page.locator('[data-call=talking]').count()).toBe(1)
    await page.getByRole('button', { name: words.hangUp }).click()
    await page.locator('[data-call]').waitFor({ state: 'detached' })
    expect(await page.locator('[data-reason]').count()).toBe(0)
    expect(errors).toEqual([])
  })
})
