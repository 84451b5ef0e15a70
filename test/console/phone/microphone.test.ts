/** What the phone of the console says where it cannot use the microphone, and where its browser cannot send the sound. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phoneWords } from '../../../console/phone/words.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
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
import { type ConsoleBrowser, type ConsolePage, startFirefoxConsole } from './page.ts'

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
  })

/** The page gets its microphone when `allowMicrophone()` is called; `microphones` are those that it got. */
const slowMicrophone = `(() => {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  window.microphones = []
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    await new Promise((resolve) => { window.allowMicrophone = resolve })
    const stream = await open(constraints)
    window.microphones.push(stream)
    return stream
  }
})()`

for (const { name, isMissing, language, words, start } of browsers)
  test.skipIf(isMissing)(
    `a microphone that ${name} allows after the person has hung up is closed, and nobody is called`,
    async ({ onTestFinished }) => {
      const office = await service.openOffice()
      const browser = await start({ hertz: microphoneHertz })
      onTestFinished(async () => void (await browser.stop()))
      const page = await browser.open(service.url)
      await signIn(page, office, language)
      await until(page, '[data-phone=ready]')
      await page.evaluate(slowMicrophone)
      await page.type('main .dial-number', '48999990000')
      await page.click(words.call, 'main')
      await expect.poll(() => page.evaluate('typeof allowMicrophone')).toBe('function')
      await page.click(words.hangUp)
      await until(page, ':root:not(:has([data-call]))')
      await page.evaluate('allowMicrophone()')
      const states = `microphones.flatMap((stream) => stream.getTracks().map(({ readyState }) => readyState)).join()`
      await expect.poll(() => page.evaluate(states)).toBe('ended')
      expect((await office.get('/calls?page=1')).data).toEqual([])
    },
  )

const inFirefox = test.skipIf(programMissing('firefox-esr'))
inFirefox(
  'D401: Firefox carries no sound to a service at a loopback address: its phone says so and does not start',
  async ({ onTestFinished }) => {
    const settings = { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0' }
    const local = await startService(settings, { engine: undefined, clock: systemClock })
    onTestFinished(() => local.stop())
    await local.app.consoleBuild?.finished
    const account = await openAccount(local)
    const browser = await startFirefoxConsole({ hertz: microphoneHertz })
    onTestFinished(async () => void (await browser.stop()))
    const page = await browser.open(local.url)
    const text = () => page.evaluate<string>(`document.querySelector('main')?.textContent ?? ''`)
    await signIn(page, account, 'en')
    await expect.poll(text).toContain(phoneWords.en.outOfReach)
    await page.goto('/console')
    await expect.poll(text).toContain(phoneWords.en.outOfReach)
  },
)
