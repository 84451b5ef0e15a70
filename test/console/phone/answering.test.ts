/**
 * The phone of the console rings and is answered, in Chromium and in Firefox with their default settings: rung by a
 * program, a colleague, a carrier and a transfer, answered by button, Enter, notification and by itself. The sound is
 * measured at both ends. Calls that differ only for the service are rung in one browser.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointCall } from '../../../src/engine/endpoint/call/endpoint-call.ts'
import type { Softphone } from '../../../src/engine/endpoint/softphone/softphone.ts'
import {
  browsers,
  carrierHertz,
  colleagueHertz,
  microphoneHertz,
  type Office,
  type PhoneService,
  signIn,
  startPhoneService,
  until,
} from './office.ts'
import type { ConsoleBrowser, ConsolePage } from './page.ts'

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

let service: PhoneService

beforeAll(async () => {
  service = await startPhoneService('29000-29999')
})
afterAll(() => service?.stop())

for (const { name, isMissing, language, words, start } of browsers)
  describe.skipIf(isMissing)(`the phone of the console in ${name}`, () => {
    let browser: ConsoleBrowser
    let page: ConsolePage
    let office: Office
    let colleague: Softphone

    beforeAll(async () => {
      office = await service.openOffice()
      colleague = await service.startColleague(office)
      browser = await start({ hertz: microphoneHertz })
      page = await browser.open(service.url)
      await signIn(page, office, language)
      await until(page, '[data-phone=ready]')
    })
    afterAll(async () => {
      await browser?.stop()
      await colleague?.stop()
    })
    afterEach(async () => {
      if (await page.evaluate(`document.querySelector('[data-call]') !== null`))
        await page.click(words.hangUp)
      await until(page, ':root:not(:has([data-call]))')
    })

    /** Both ends have the tone of the other one. */
    async function expectSound(hertz: number, other: Pick<EndpointCall, 'heard'>) {
      const heard = async () => Math.round((await page.evaluate<number>('strongestHertz()')) / 50) * 50
      await expect.poll(heard).toBe(hertz)
      await expect.poll(() => other.heard()?.tone?.hertz).toBe(microphoneHertz)
      await until(page, '[data-call=talking]')
    }

    test('is rung by POST /calls and answered by its button; keys of page and keyboard are tones', async () => {
      const id = await office.place('1000')
      await page.click(words.answer)
      const { call } = await service.incoming(id)
      await expectSound(carrierHertz, call)
      await page.click('5', 'main')
      await page.press('7')
      await expect.poll(() => call.heard()?.digits).toBe('57')
    })

    test.skipIf(name === 'Firefox')('is rung by a colleague and answered by Enter', async () => {
      await colleague.call('1000')
      await until(page, '[data-call=ringing]')
      await page.press('Enter')
      await expectSound(colleagueHertz, colleague)
    })

    test('is rung by a carrier while another tab is in front, and answered by a click on its notification', async () => {
      const uncover = await page.cover()
      const call = await service.callFromOutside(office.bina)
      await expect.poll(() => page.notification()).toContain(words.incoming('(48) 98888-7777'))
      await page.clickNotification()
      // As the browser does, for window.focus().
      await uncover()
      await expectSound(carrierHertz, call)
    })

    test.skipIf(name === 'Firefox')(
      'D642: is answered and refused by the buttons of its notification',
      async () => {
        const uncover = await page.cover()
        const call = await service.callFromOutside(office.bina)
        const title = words.incoming('(48) 98888-7777')
        await expect.poll(() => page.notification()).toBe(`${title} | ${words.answer} | ${words.decline}`)
        await page.clickNotification(words.answer)
        await expectSound(carrierHertz, call)
        await expect.poll(() => page.notification()).toBeUndefined()
        // A second call, while the first one is talked in.
        const second = await service.callFromOutside(office.bina)
        const knock = words.secondCall('(48) 98888-7777')
        await expect
          .poll(() => page.notification())
          .toBe(`${knock} | ${words.holdAndAnswer} | ${words.decline}`)
        await page.clickNotification(words.decline)
        expect(await second.ended).toMatchObject({ status: 486 })
        await expect.poll(() => page.notification()).toBeUndefined()
        await until(page, '[data-call=talking]')
        await uncover()
      },
    )

    /** The other side, as the page shows it. */
    const party = () => page.evaluate<string>(`document.querySelector('.call-panel > .stack').innerText`)

    test.skipIf(name === 'Firefox')(
      'is rung by a transfer that names the customer, and answered',
      async () => {
        const id = await office.place('1001')
        const { call } = await service.incoming(id)
        await expect.poll(() => call.heard()?.tone?.hertz).toBe(colleagueHertz)
        // Its sound is heard before its answer is stored.
        const transfer = async () => (await office.post(`/calls/${id}/transfer`, { to: '1000' })).status
        await expect.poll(transfer).toBe(200)
        await until(page, '[data-call=ringing]')
        expect(await party()).toContain('(48) 99999-0000')
        await expect.poll(party).toContain(words.transferredBy('Ana Souza'))
        await page.click(words.answer)
        await expectSound(carrierHertz, call)
      },
    )

    test.skipIf(name === 'Firefox')(
      'D641: shows the new party when the colleague at the other side transfers the call',
      async () => {
        await colleague.call('1000')
        await until(page, '[data-call=ringing]')
        await page.click(words.answer)
        await expectSound(colleagueHertz, colleague)
        expect(await party()).toContain('1001')
        const [{ id }] = (await office.get('/calls?page=1')).data
        const { body } = await office.post(`/calls/${id}/transfer`, { to: '+5511988887777' })
        const { call } = await service.incoming(body.transferId)
        await expectSound(carrierHertz, call)
        await expect.poll(party).toContain('(11) 98888-7777')
        expect(await party()).not.toContain('1001')
      },
    )

    test('answers a call of a program by itself, if the person wants that, after nothing but a load of the page', async () => {
      await page.evaluate(`localStorage.setItem('ramal.auto-answer', 'yes')`)
      await page.goto('/console/phone')
      await until(page, '[data-phone=ready]')
      const { call } = await service.incoming(await office.place('1000'))
      await expectSound(carrierHertz, call)
    })

    test('shows no quality of sound on hold, and is heard again afterwards', async () => {
      await page.evaluate(`localStorage.removeItem('ramal.auto-answer')`)
      const call = await service.callFromOutside(office.bina)
      await page.click(words.answer)
      const status = () => page.evaluate(`document.querySelector('[data-call]').textContent`)
      await expect.poll(status).toContain(' · ')
      await page.click(words.hold)
      await expect.poll(status).toBe(words.held)
      await page.click(words.resume)
      await expect.poll(status).toContain(words.callStates.talking)
      await expectSound(carrierHertz, call)
    })

    test('closes a microphone that the browser allows after the person has hung up, and calls nobody', async () => {
      const placed = async () => (await office.get('/calls?page=1')).meta.totalItemCount
      const before = await placed()
      await page.evaluate(slowMicrophone)
      await page.type('main .dial-number', '48999990000')
      await page.click(words.call, 'main')
      await expect.poll(() => page.evaluate('typeof allowMicrophone')).toBe('function')
      await page.click(words.hangUp)
      await until(page, ':root:not(:has([data-call]))')
      await page.evaluate('allowMicrophone()')
      const states = `microphones.flatMap((stream) => stream.getTracks().map(({ readyState }) => readyState)).join()`
      await expect.poll(() => page.evaluate(states)).toBe('ended')
      expect(await placed()).toBe(before)
    })
  })
