/** The phone of the console when the network of its computer breaks, changes, or the computer sleeps, in a call and without one. */
import { setTimeout as outage } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { phoneWords } from '../../console/phone/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createNetwork, networkRefused } from '../fleet/network.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { soon } from '../sip/engine/engine-setup.ts'
import { heardHertz, openConsole, typePassword } from './console-browser.ts'
import { startLaptop, startTlsProxy } from './laptop.ts'

/** A number of the sandbox carrier that answers and echoes: what the page receives is its own microphone. */
const echoNumber = '48999991234'
/** Milliseconds. */
const patience = 30_000
const words = { ...commonWords.pt, ...shellWords.pt, ...phoneWords.pt }

describe.skipIf(programMissing('chromium') || networkRefused())('the phone of the console', () => {
  let network: ReturnType<typeof createNetwork>
  let service: Service
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>

  beforeAll(async () => {
    network = createNetwork()
    const settings = {
      CONSOLE: 'on',
      SIP_HOST: network.voiceAddress,
      SIP_PORT: '0',
      SIP_WS_PORT: '0',
      RTP_PORTS: '27000-27999',
    }
    service = await startService(settings, { engine: undefined, clock: systemClock })
    await service.app.consoleBuild?.finished
    proxy = await startTlsProxy(service.url, network.voiceAddress)
  })
  afterAll(async () => {
    proxy?.stop()
    await service?.stop()
    network?.remove()
  })

  /** Somebody on a laptop whose phone is ready. */
  async function openLaptop({ onTestFinished }: TestContext) {
    const account = await openAccount(service)
    const extension = { ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
    await service.api.post('/extensions', { ...extension, email_address: account.email }, account)
    const laptop = await startLaptop(network)
    onTestFinished(() => laptop.stop())
    const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
    const { page } = await openConsole(laptop.browser, proxy.url, look)
    // A browser that has just noticed its network gives up what it loads, the page or a script of it; a person loads again.
    const open = () =>
      page.goto('/console/phone').catch((error) => void expect(String(error)).toMatch('ERR_NETWORK_CHANGED'))
    await soon(async () => {
      expect(await open()).toBeTruthy()
      await page.getByLabel(words.email).waitFor({ timeout: 5_000 })
    }, patience)
    await typePassword(page, words, account.password, account.email)
    await page.locator('[data-phone=ready]').waitFor()
    const onlyCall = async () => {
      const [call, ...others] = (await service.api.get('/calls?page=1', account)).body.data
      expect(others).toEqual([])
      return call
    }
    return { account, laptop, page, onlyCall }
  }

  async function callEcho(page: Page) {
    const main = page.getByRole('main')
    await main.getByLabel(words.number).fill(echoNumber)
    await main.getByRole('button', { name: words.call, exact: true }).click()
    await page.locator('[data-call=talking]').waitFor()
    await hears(page)
  }

  const hears = (page: Page) => soon(async () => expect(await heardHertz(page)).toBeGreaterThan(0), patience)

  const state = (page: Page, name: 'talking' | 'returning' | 'ringing') =>
    page.locator(`[data-call=${name}]`).waitFor()

  async function isRung(page: Page, account: { token: string }) {
    const body = { extension: '1000', called: echoNumber }
    await soon(
      async () => expect((await service.api.post('/calls', body, account)).status).toBe(200),
      patience,
    )
    await state(page, 'ringing')
  }

  test('comes back to its call when its connections were cut for 6.5 seconds (D412)', async (t) => {
    const { page, onlyCall } = await openLaptop(t)
    await callEcho(page)
    proxy.cut()
    t.onTestFinished(proxy.restore)
    await state(page, 'returning')
    await outage(6_500)
    proxy.restore()
    await state(page, 'talking')
    await hears(page)
    expect(await onlyCall()).toMatchObject({ status: 'answered' })
  })

  // Each of these waits most of its time, on a laptop of its own.
  test.concurrent('comes back to its call when the cable is plugged in again', async (t) => {
    const { laptop, page, onlyCall } = await openLaptop(t)
    await callEcho(page)
    laptop.unplug(true)
    await state(page, 'returning')
    laptop.unplug(false)
    await state(page, 'talking')
    await hears(page)
    expect(await onlyCall()).toMatchObject({ status: 'answered' })
  })

  test.concurrent('comes back to its call from another address, and is rung there', async (t) => {
    const { account, laptop, page, onlyCall } = await openLaptop(t)
    await callEcho(page)
    laptop.unplug(true)
    await outage(3_000)
    laptop.changeAddress()
    laptop.unplug(false)
    await state(page, 'returning')
    await state(page, 'talking')
    await hears(page)
    expect(await onlyCall()).toMatchObject({ status: 'answered' })
    await page.getByRole('button', { name: words.hangUp, exact: true }).click()
    await page.locator('[data-call]').waitFor({ state: 'detached' })
    await isRung(page, account)
  })

  test.concurrent('says that its call ended while the computer slept, and calls again', async (t) => {
    const { laptop, page, onlyCall } = await openLaptop(t)
    await callEcho(page)
    laptop.sleep()
    // The service waits for the phone in vain.
    const ended = { hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' }
    await soon(async () => expect(await onlyCall()).toMatchObject(ended), 60_000)
    laptop.wake()
    await page.getByText(words.lost('(48) 99999-1234')).first().waitFor()
    expect(await page.locator('[data-call]').count()).toBe(0)
    await page.getByRole('button', { name: words.callAgain, exact: true }).click()
    await state(page, 'talking')
    await hears(page)
  })

  test.concurrent('is ready only as long as it can be rung (D411)', async (t) => {
    const { account, laptop, page } = await openLaptop(t)
    laptop.unplug(true)
    await page.locator('[data-phone=connecting]').waitFor()
    const isRegistered = async () => (await service.api.get('/extensions', account)).body[0].registered
    await soon(async () => expect(await isRegistered()).toBe(false), patience)
    laptop.changeAddress()
    laptop.unplug(false)
    await page.locator('[data-phone=ready]').waitFor()
    await isRung(page, account)
  })

  test('is not ready while the service is stopped, and is rung when it is back', async (t) => {
    const { account, page } = await openLaptop(t)
    await service.restart(async () => {
      await page.locator('[data-phone=connecting]').waitFor()
    })
    await page.locator('[data-phone=ready]').waitFor()
    await isRung(page, account)
  })
})
