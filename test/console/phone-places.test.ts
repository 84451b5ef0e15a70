/** The phone of an extension is in one place: in one tab of a browser, on one of several devices. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { phoneWords } from '../../console/phone/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, heardHertz, openConsole, startChromium, typePassword } from './console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '26000-26999' }
/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
const playingNumber = '48999990009'
const words = { ...commonWords.pt, ...shellWords.pt, ...phoneWords.pt }
const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const

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

  async function openPerson() {
    const account = await openAccount(service)
    const extension = { ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    await service.api.post('/extensions', { ...extension, email_address: account.email }, account)
    return account
  }

  /** Each has a browser of their own. */
  async function signIn({ email, password }: { email: string; password: string }) {
    const { context, page } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    await page.goto('/console/phone')
    await typePassword(page, words, password, email)
    await isAt(page, 'ready')
    return { context, page }
  }

  const isAt = (page: Page, state: 'ready' | 'displaced') => page.locator(`[data-phone=${state}]`).waitFor()
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  async function call(page: Page) {
    const main = page.getByRole('main')
    await main.getByLabel(words.number).fill(playingNumber)
    await main.getByRole('button', { name: words.call, exact: true }).click()
    await expect.poll(() => heardHertz(page)).toBe(1000)
  }

  test('says which device has taken its extension, and takes it back (D413)', async () => {
    const person = await openPerson()
    const { page: first } = await signIn(person)
    const { page: second } = await signIn(person)
    await isAt(first, 'displaced')
    await first.getByText(words.displaced('Chrome, Linux')).last().waitFor()
    await expectAccessible(first, 'displaced')
    await press(first, words.takeBack)
    await isAt(first, 'ready')
    await isAt(second, 'displaced')
  })

  test('has its extension again when the other device has left, and its call goes on meanwhile', async () => {
    const person = await openPerson()
    const { page: first } = await signIn(person)
    await call(first)
    const { context } = await signIn(person)
    await isAt(first, 'displaced')
    await first.locator('[data-call=talking]').waitFor()
    await expect.poll(() => heardHertz(first)).toBe(1000)
    await context.close()
    await isAt(first, 'ready')
    expect((await service.api.get('/calls?page=1', person)).body.data).toMatchObject([{ status: 'answered' }])
  })

  async function openTab(context: BrowserContext) {
    const page = await context.newPage()
    await page.goto('/console/phone')
    await page.getByText(words.away).waitFor()
    await page.locator('.dock-pill').click()
    return page
  }

  test('asks before it takes the phone of a tab in a call, and gives it back when it is closed (D414)', async () => {
    const { context, page: first } = await signIn(await openPerson())
    await call(first)
    const second = await openTab(context)
    await press(second, words.useHere)
    const dialog = second.getByRole('dialog')
    await dialog.getByText(words.otherTabInCall).waitFor()
    await expectAccessible(second, 'phone of another tab')
    await dialog.getByRole('button', { name: words.cancel, exact: true }).click()
    await first.locator('[data-call=talking]').waitFor()

    await press(second, words.useHere)
    await dialog.getByRole('button', { name: words.takeBack, exact: true }).click()
    await isAt(second, 'ready')
    await first.locator('[data-call]').waitFor({ state: 'detached' })
    await first.getByText(words.away).waitFor()
    await second.close()
    await isAt(first, 'ready')
  })

  test('takes the phone of a tab that is in no call without a question', async () => {
    const { context } = await signIn(await openPerson())
    const second = await openTab(context)
    await press(second, words.useHere)
    await isAt(second, 'ready')
  })
})
