/** D600: missed calls in the console, as a list to work off with the phone of the browser. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { missedWords } from '../../../console/pages/missed/words.ts'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from '../console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '25000-25999' }
/** A number of the sandbox carrier that answers at once. */
const answering = '5548999990009'
const words = { ...commonWords.pt, ...shellWords.pt, ...phoneWords.pt, missed: missedWords.pt }

describe.skipIf(programMissing('chromium'))('missed calls', () => {
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

  test('are counted in the title and beside the phone, and leave the list when they are marked or called back', async () => {
    const admin = await openAccount(service)
    const person = { first_name: 'Ana', last_name: 'Souza', email_address: admin.email }
    await service.api.post('/extensions', { ramal: '1000', senha: 's3nha-longa', ...person }, admin)
    await service.api.post('/contacts', { name: 'Carla Dias', numbers: [answering] }, admin)
    const missedAt = (minutes: number, from: string) => {
      const at = new Date(Date.now() - minutes * 60_000)
      const times = { started_at: at, ended_at: at }
      return { call_type: 'inbound', from_number: from, to_number: '1000', ...times } as const
    }
    await insertCalls(service.db, await accountIdOf(service.db, admin.domain), [
      missedAt(30, answering),
      missedAt(20, answering),
      missedAt(10, '5548999990002'),
    ])
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { context, page, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/missed')
    await typePassword(page, words, password, admin.email)
    const title = `${words.missed.title} · Ramal`
    await expect.poll(() => page.title()).toBe(`(2) ${title}`)
    await page.locator('[data-phone=ready]').waitFor()
    await page.locator('[data-missed="2"]').waitFor()
    const carla = page.getByRole('row').filter({ hasText: 'Carla Dias' })
    expect(await carla.getByRole('cell').nth(2).textContent()).toBe('2')
    await expectAccessible(page, 'missed calls')

    const other = '(48) 99999-0002'
    await page.getByRole('button', { name: words.missed.markDone(other) }).press('Enter')
    await expect.poll(() => page.title()).toBe(`(1) ${title}`)

    await carla.getByRole('button', { name: words.callNumber('(48) 99999-0009') }).press('Enter')
    await page.locator('[data-call=talking]').waitFor()
    await page.getByRole('heading', { name: words.missed.none }).waitFor({ timeout: 15_000 })
    await expect.poll(() => page.title()).toBe(title)
    await page.getByRole('button', { name: words.hangUp, exact: true }).first().click()

    await page.getByRole('button', { name: words.missed.states.done }).press('Enter')
    await carla.getByText('Ana Souza ligou de volta').waitFor()
    await page.getByRole('button', { name: words.missed.reopen(other) }).press('Enter')
    const link = page.locator('[data-missed="1"]')
    await link.waitFor()
    await link.press('Enter')
    await page.getByRole('row').filter({ hasText: other }).getByText(words.missed.open).waitFor()
    expect(errors).toEqual([])
  })
})
