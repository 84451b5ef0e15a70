/** What the phone of the console says where it cannot use the microphone, and where its browser cannot send the sound. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'
import {
  browsers,
  microphoneHertz,
  type Office,
  type PhoneService,
  signIn,
  startPhoneService,
  until,
} from './office.ts'
import type { ConsoleBrowser, ConsolePage } from './page.ts'

let service: PhoneService

beforeAll(async () => {
  service = await startPhoneService('30000-30999')
})
afterAll(() => service?.stop())

for (const { name, isMissing, language, words, start } of browsers)
  describe.skipIf(isMissing)(`the phone of the console in ${name}, which refuses the microphone,`, () => {
    let browser: ConsoleBrowser
    let page: ConsolePage
    let office: Office

    beforeAll(async () => {
      office = await service.openOffice()
      browser = await start({ hertz: microphoneHertz, isRefused: true })
      page = await browser.open(service.url)
      await signIn(page, office, language)
      await until(page, '[data-phone=ready]')
    })
    afterAll(() => browser?.stop())

    const textOf = (selector: string) =>
      page.evaluate<string>(`document.querySelector('${selector}')?.textContent ?? ''`)
    const reason = () => textOf('.dock [role=alert] p')

    test('says why it cannot dial, and calls nobody', async () => {
      await page.type('main .dial-number', '48999990000')
      await page.click(words.call, 'main')
      await expect.poll(reason).toBe(words.microphoneProblems.refused)
      await until(page, ':root:not(:has([data-call]))')
      expect(await textOf('.dock-pill')).toContain(words.withoutMicrophone)
      expect((await office.get('/calls?page=1')).data).toEqual([])
    })

    test('D400: says why it cannot answer, and rings on until the person declines; nobody is dialled or billed', async () => {
      const before = await office.get('/credits/balance')
      const id = await office.place('1000')
      await page.click(words.answer)
      await expect.poll(reason).toBe(words.microphoneProblems.refused)
      await until(page, '[data-call=ringing]')
      await page.click(words.decline)
      await expect
        .poll(() => office.get(`/calls/${id}`))
        .toMatchObject({ hangup_cause: 'USER_BUSY', duration: 0 })
      expect(service.hasDialled(id)).toBe(false)
      expect(await office.get('/credits/balance')).toEqual(before)
    })

    test.skipIf(name !== 'Firefox')(
      'D401: says that a service at a loopback address is out of reach, to which Firefox carries no sound',
      async ({ onTestFinished }) => {
        const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0' }
        const local = await startService(settings, { engine: undefined, clock: systemClock })
        onTestFinished(() => local.stop())
        await local.app.consoleBuild?.finished
        const localPage = await browser.open(local.url)
        onTestFinished(async () => void (await localPage.close()))
        const text = () => localPage.evaluate<string>(`document.querySelector('main')?.textContent ?? ''`)
        await signIn(localPage, await openAccount(local), language)
        await expect.poll(text).toContain(words.outOfReach)
        await localPage.goto('/console')
        await expect.poll(text).toContain(words.outOfReach)
      },
    )
  })
