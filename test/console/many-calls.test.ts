/** The console with much to show, and with a service that goes away for a moment. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { createFakeEngine, type FakeEngine } from '../../src/engine/fake.ts'
import type { EngineHost } from '../../src/engine/port.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { allowDuplicate } from '../helpers/service/voice.ts'
import { expectAccessible, openConsole, shiftMeter, startChromium, typePassword } from './console-browser.ts'

const words = { ...commonWords.pt, ...shellWords.pt }
const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const

/** As Google's "good" of Core Web Vitals. */
const maxShift = 0.1

describe.skipIf(programMissing('chromium'))('a large account', () => {
  let service: Service
  let browser: Browser
  const engines: FakeEngine[] = []

  const engine = (host: EngineHost) => {
    const made = createFakeEngine(host, { now: () => new Date() })
    engines.push(made)
    return made
  }

  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on', TRIAL_CREDIT: '100000.00' }, { clock: systemClock, engine })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function signedIn(url = service.url) {
    const admin = await openAccount(service)
    const { context, page, errors } = await openConsole(browser, url, look)
    onTestFinished(() => context.close())
    await context.addInitScript(shiftMeter)
    await page.goto('/console')
    await typePassword(page, words, password, admin.email)
    await page.getByRole('navigation').first().waitFor()
    return { admin, page, errors }
  }

  const shifted = (page: Page) => page.evaluate<number>('window.shifted')

  test('10,000 calls are paged, searched and downloaded', async () => {
    const { admin, page, errors } = await signedIn()
    const accountId = await accountIdOf(service.db, admin.domain)
    const first = Date.now() - 30 * 86_400_000
    for (let batch = 0; batch < 10; batch += 1) {
      const calls = Array.from({ length: 1_000 }, (_, index) => ({
        started_at: new Date(first + (batch * 1_000 + index) * 60_000),
        to_number: `55489${String(90_000_000 + batch * 1_000 + index)}`,
      }))
      await insertCalls(service.db, accountId, calls)
    }
    const calls = callPageWords.pt
    await page.goto('/console/calls')
    await page.getByRole('heading', { level: 1, name: calls.title }).waitFor()
    await page.getByText('10.000', { exact: false }).first().waitFor()
    await expectAccessible(page, 'history of 10,000 calls')
    await page.getByRole('button', { name: words.next }).click()
    await page.waitForURL(/page=2/)
    await page.goto('/console/calls?page=50')
    await page.getByRole('row').nth(1).waitFor()
    await page.goto('/console/calls')
    await page.getByLabel(calls.search).fill('90001234')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByLabel(calls.search).fill('')
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(1)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: words.exportCsv }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file.trim().split('\n')).toHaveLength(10_001)
    expect(await shifted(page)).toBeLessThan(maxShift)
    expect(errors).toEqual([])
  })

  test('200 live calls are shown as they are, nothing jumps, and each can be hung up', async () => {
    const { admin, page, errors } = await signedIn()
    const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const extension = { ...person, ramal: '1000', email_address: admin.email }
    expect((await service.api.post('/extensions', extension, admin)).status).toBe(200)
    engines.at(-1)?.register({ domain: admin.domain, number: '1000' })
    const ids: string[] = []
    const place = async (index: number) => {
      const called = `5548999${String(990_000 + index)}`
      const options = { ...admin, headers: allowDuplicate }
      const { status, body } = await service.api.post('/calls', { extension: '1000', called }, options)
      expect(status).toBe(200)
      ids.push(String(body.id))
    }
    for (let index = 0; index < 190; index += 1) await place(index)
    await page.goto('/console/live')
    const rows = page.locator('tbody tr')
    const count = (calls: number) => page.getByRole('heading', { name: `Chamadas (${calls})` }).waitFor()
    await count(190)
    await expect.poll(() => rows.count()).toBe(50)
    for (let index = 190; index < 200; index += 1) await place(index)
    await count(200)
    await expectAccessible(page, '200 live calls')
    const before = await page.locator('tbody tr a').allTextContents()
    const [firstId = ''] = ids
    engines.at(-1)?.ring(firstId)
    await page.locator('tbody').getByText('Chamando').first().waitFor()
    expect(await page.locator('tbody tr a').allTextContents()).toEqual(before)
    await rows.first().getByRole('button').click()
    await count(199)
    expect(await shifted(page)).toBeLessThan(maxShift)
    await page.getByLabel('Buscar chamada por número ou nome').fill('990150')
    await expect.poll(() => rows.count()).toBe(1)
    expect(errors).toEqual([])
    for (const id of ids) engines.at(-1)?.hangUp(id)
  })
})

describe.skipIf(programMissing('chromium'))('an open page', () => {
  test('recovers by itself when the service was restarted', async () => {
    const service = await startService({ CONSOLE: 'on' }, { clock: systemClock })
    onTestFinished(() => service.stop())
    await service.app.consoleBuild?.finished
    const browser = await startChromium()
    onTestFinished(() => browser.close())
    const admin = await openAccount(service)
    const accountId = await accountIdOf(service.db, admin.domain)
    const { page } = await openConsole(browser, service.url, look)
    await page.goto('/console')
    await typePassword(page, words, password, admin.email)
    await page.getByRole('navigation').first().waitFor()
    await page.goto('/console/live')
    await page.getByText('O que está acontecendo agora.').waitFor()
    await page.getByRole('link', { name: 'Histórico' }).first().click()
    await page.getByRole('heading', { name: callPageWords.pt.noCalls }).waitFor()

    await insertCalls(service.db, accountId, [{}])
    await service.restart(() => page.getByText(words.offline).waitFor())
    await page.getByRole('row').getByText('(48) 99999-8888').waitFor()
    await page.getByText(words.offline).waitFor({ state: 'detached' })
  })
})
