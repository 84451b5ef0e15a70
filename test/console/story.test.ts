/**
 * The console as a person uses it, with nothing but the browser: sign-up, confirmation, an extension, the browser phone
 * (D312), a recorded call, credit by PIX, an invitation. One story a language; every page is checked for accessibility.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { creditWords } from '../../console/pages/credit/words.ts'
import { extensionWords } from '../../console/pages/extensions/words.ts'
import { overviewWords } from '../../console/pages/overview/words.ts'
import { userWords } from '../../console/pages/users/words.ts'
import { phoneWords } from '../../console/phone/words.ts'
import { signUpWords } from '../../console/shell/sign-up-words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { mailedLink } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, heardHertz, openConsole, startChromium } from './console-browser.ts'

const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '25000-25999' }
const password = 'correct horse battery'
/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
const playingNumber = '48999990009'

describe.skipIf(programMissing('chromium'))('a person with a browser', () => {
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

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light', domain: 'aurora' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark', domain: 'sunrise' },
  ] as const)(
    'signs up, calls, is recorded, pays and invites ($language, $width px, $theme)',
    async (story) => {
      const { language, locale, width, theme, domain } = story
      const words = { ...commonWords[language], ...shellWords[language], ...signUpWords[language] }
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())
      const email = `ana@${domain}.example`
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
      const open = async (path: string, title: string) => {
        await page.goto(`/console${path}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      }
      const checkPage = (name: string) => expectAccessible(page, name)

      // Sign-up, the mail, and the way back into the console (D371).
      await page.goto('/')
      await checkPage('sign-in')
      await page.getByRole('link', { name: words.signUp }).click()
      await page.getByLabel(words.company).fill('Padaria Aurora')
      expect(await page.getByLabel(words.domain).inputValue()).toBe('padaria-aurora')
      await page.getByLabel(words.domain).fill(domain)
      await page.getByLabel(words.email).fill(email)
      await page.getByLabel(words.phone).fill('(48) 3333-4444')
      await page.getByLabel(words.password).fill(password)
      await checkPage('sign-up')
      await press(words.signUp)
      await page.getByRole('link', { name: words.openMailbox }).waitFor()
      await checkPage('check your mail')
      const mail = await context.newPage()
      await mail.goto(await mailedLink(service, email))
      await mail.getByRole('button').click()
      await mail.getByRole('link', { name: words.signIn }).waitFor()
      await mail.close()
      await press(words.confirmed)
      await page.getByRole('button', { name: overviewWords[language].firstCall }).waitFor()
      await checkPage('overview')

      // The first call (D370): its extension is made, and its phone is the browser.
      const phone = phoneWords[language]
      await press(overviewWords[language].firstCall)
      await page.getByText(phone.callStates.talking).first().waitFor()
      await press(phone.hangUp)
      await page.getByRole('button', { name: phone.hangUp }).waitFor({ state: 'detached' })

      // An extension for a colleague: nothing of one's own is proposed.
      const extension = extensionWords[language]
      await open('/extensions', extension.title)
      await page.getByRole('row').getByText('Ana Padaria Aurora').waitFor()
      await press(extension.create)
      expect(await page.getByLabel(extension.email).inputValue()).toBe('')
      await page.getByLabel(extension.firstName, { exact: true }).fill('Bia')
      await page.getByLabel(extension.lastName).fill('Lima')
      await page.getByLabel(extension.email).fill(`bia@${domain}.example`)
      await checkPage('form of an extension')
      await press(words.save)
      await page.getByRole('row').getByText('Bia Lima').waitFor()
      await checkPage('extensions')

      // A call that is heard in the page.
      await open('/phone', phone.title)
      await page.locator('[data-phone=ready]').waitFor()
      const main = page.getByRole('main')
      await main.getByLabel(phone.number).fill(playingNumber)
      await main.getByRole('button', { name: phone.call, exact: true }).click()
      await expect.poll(() => heardHertz(page), { timeout: 30_000 }).toBe(1000)
      await page.getByText(phone.callStates.talking).first().waitFor()
      await checkPage('phone in a call')
      await press(phone.hangUp)
      await page.getByRole('button', { name: phone.hangUp }).waitFor({ state: 'detached' })

      // It is in the history, with its recording.
      const calls = callPageWords[language]
      await expect.poll(() => recordingOf(page), { timeout: 30_000 }).toMatch(/^http/)
      await open('/calls', calls.title)
      await page.getByRole('row').getByText('(48) 99999-0009').waitFor()
      await checkPage('history')
      await page.locator('tbody a').first().click()
      await page.getByRole('button', { name: calls.play }).waitFor()
      await checkPage('call')
      const seconds = () => page.evaluate<number>('document.querySelector("audio")?.duration ?? 0')
      await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0)

      // Credit by PIX, paid in the sandbox.
      const credit = creditWords[language]
      await open('/credit', credit.title)
      await page.getByLabel(credit.amount).fill('50')
      await checkPage('credit')
      await press(credit.create)
      const link = await page.getByRole('link', { name: credit.pay }).getAttribute('href')
      await page.getByRole('img', { name: credit.qr }).waitFor()
      await checkPage('PIX code')
      const payment = new URLSearchParams({ do: 'pay', method: 'PIX' })
      await fetch(link ?? '', { method: 'POST', body: payment, redirect: 'manual' })
      await expect.poll(() => balanceOf(page), { timeout: 30_000 }).toBeGreaterThan(50)

      // An invitation by mail.
      const users = userWords[language]
      await open('/users', users.title)
      await press(users.invite)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.name).fill('Bia Lima')
      await dialog.getByLabel(words.email).fill(`bia@${domain}.example`)
      await dialog.getByLabel(words.phone).fill('48999998888')
      await press(users.send)
      await page.getByRole('row').getByText('Bia Lima').waitFor()
      await checkPage('users')
      expect(await mailedLink(service, `bia@${domain}.example`)).toContain('set-password')
      expect(errors).toEqual([])
    },
  )
})

const read = (page: Page, path: string) =>
  page.evaluate<Record<string, never>>(`fetch('/api/v1${path}').then((answer) => answer.json())`)

async function recordingOf(page: Page): Promise<string> {
  const { data } = (await read(page, '/calls?page=1')) as { data?: { record_url: string }[] }
  return data?.[0]?.record_url ?? ''
}

async function balanceOf(page: Page): Promise<number> {
  const { balance } = (await read(page, '/credits/balance')) as { balance?: number }
  return balance ?? 0
}
