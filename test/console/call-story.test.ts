/**
 * A call in the browser phone that survives a reload of the page (D318) and is transferred (D282), then the page of the
 * call: its recording as it is drawn (D316), its timeline, its price and its deliveries (D317). One story a language.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callPageWords } from '../../console/pages/calls/words.ts'
import { phoneWords } from '../../console/phone/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { deliveryWords } from '../../console/words/deliveries.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { startReceiver } from '../helpers/programs/receiver.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, heardHertz, openConsole, startChromium } from './console-browser.ts'

const settings = {
  CONSOLE: 'on',
  SIP_PORT: '0',
  SIP_WS_PORT: '0',
  RTP_PORTS: '28000-28999',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  // Nothing listens there: calls do not wait for it.
  TURN_URLS: 'turn:127.0.0.1:9?transport=tcp',
  TURN_SECRET: 'shared-with-the-turn-server',
  // A busy machine loads a page slowly.
  PHONE_AWAY_SECONDS: '120',
}
/** Numbers of the sandbox carrier that answer at once and play 1000 Hz. */
const playingNumber = '48999990009'
const otherNumber = '48988880009'

describe.skipIf(programMissing('chromium'))('a person in a call', () => {
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

  /** An account with an extension of its ADMIN, whose calls are recorded, and a webhook. */
  async function openOffice(webhookUrl: string) {
    const account = await openAccount(service)
    const extension = { ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    const made = await service.api.post(
      '/extensions',
      { ...extension, email_address: account.email, gravar_audio: 1 },
      account,
    )
    const metadata = { webhookUrl, webhookTypes: ['channel-hangup'] }
    const webhook = await service.api.patch(
      '/integrations',
      { gateway: 'crm', webhook: true, metadata },
      account,
    )
    expect([made.status, webhook.status]).toEqual([200, 200])
    return account
  }

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light', asksFirst: false },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark', asksFirst: true },
  ] as const)(
    'reloads the page, transfers the call and looks at it afterwards ($language, $width px, $theme)',
    async ({ language, locale, width, theme, asksFirst }) => {
      const [words, phone, calls] = [shellWords[language], phoneWords[language], callPageWords[language]]
      const receiver = await startReceiver()
      onTestFinished(() => receiver.stop())
      const office = await openOffice(receiver.url)
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())
      page.on('dialog', (dialog) => void dialog.accept())
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
      const onlyCall = async () => (await service.api.get('/calls?page=1', office)).body.data

      await page.goto('/console/phone')
      await page.getByLabel(commonWords[language].email).fill(office.email)
      await page.getByLabel(commonWords[language].password).fill(office.password)
      await press(words.signIn)
      await page.locator('[data-phone=ready]').waitFor()
      const main = page.getByRole('main')
      await main.getByLabel(phone.number).fill(playingNumber)
      await main.getByRole('button', { name: phone.call, exact: true }).click()
      await expect.poll(() => heardHertz(page)).toBe(1000)
      // D291: the phone of the page may use the operator's TURN server.
      expect(await page.evaluate('iceServers')).toMatchObject([{ urls: [settings.TURN_URLS] }])
      await press(phone.mute)
      const [{ id }] = await onlyCall()

      // The page is loaded again, and comes back to the same call, muted as it was.
      await page.reload()
      await page.locator('[data-call=talking]').waitFor()
      await expect.poll(() => heardHertz(page)).toBe(1000)
      await page.getByRole('button', { name: phone.unmute, exact: true }).waitFor()
      expect(await onlyCall()).toMatchObject([{ id, status: 'answered' }])

      // The call goes to somebody else, and the phone is free.
      await press(phone.transfer)
      await page.getByLabel(phone.transferTo).fill(otherNumber)
      await expectAccessible(page, 'transfer')
      await press(asksFirst ? phone.askFirst : phone.transferNow)
      if (asksFirst) {
        await page.getByText(phone.waiting('(48) 99999-0009')).waitFor()
        await page.locator('[data-call=talking]').waitFor()
        await expectAccessible(page, 'asking first')
        await press(phone.connect)
      }
      await page.locator('[data-call]').waitFor({ state: 'detached' })
      const detail = async () => (await service.api.get(`/calls/${id}`, office)).body
      await expect.poll(async () => (await detail()).transfers).toMatchObject([{ to: `55${otherNumber}` }])
      expect((await service.api.post(`/calls/${id}/hangup`, undefined, office)).status).toBe(200)
      await expect.poll(async () => (await detail()).record_url).toMatch(/^http/)
      const hangups = () => receiver.received.filter(({ body }) => body.id === id).length
      await expect.poll(hangups).toBe(1)

      // The page of the call.
      await page.goto(`/console/calls/${id}`)
      await expect.poll(() => laneOf(page)).toMatch(/^M0 .{100}/)
      expect(await placesOf(page)).toEqual(['under the slider', 'under the slider'])
      await page.getByText(calls.moments.transferred, { exact: true }).waitFor()
      await page.getByText(calls.billed, { exact: true }).waitFor()
      await expectAccessible(page, 'call')
      const slider = page.getByRole('slider', { name: calls.position })
      const at = () => page.evaluate<number>('document.querySelector("audio").currentTime')
      await expect.poll(() => page.evaluate('document.querySelector("audio").readyState')).toBeGreaterThan(0)
      await slider.press('ArrowRight')
      expect(await at()).toBeGreaterThan(0)
      await slider.press('Home')
      await expect.poll(at).toBe(0)
      const { types, resend } = deliveryWords[language]
      await press(types['channel-hangup'] ?? '')
      await page.getByRole('dialog').getByText('200', { exact: true }).waitFor()
      await expectAccessible(page, 'delivery of a call')
      await press(resend)
      await expect.poll(hangups).toBe(2)
      expect(errors).toEqual([])
    },
  )
})

/** The drawing of the first lane. */
async function laneOf(page: Page): Promise<string> {
  return (await page.locator('.lane path').first().getAttribute('d')) ?? ''
}

/** Whether each lane is as wide as the slider over both, and begins where it does. */
async function placesOf(page: Page): Promise<string[]> {
  const slider = await page.locator('.position').boundingBox()
  const lanes = await page.locator('.lane').all()
  const boxes = await Promise.all(lanes.map((lane) => lane.boundingBox()))
  return boxes.map((box) =>
    box?.x === slider?.x && box?.width === slider?.width ? 'under the slider' : 'elsewhere',
  )
}
