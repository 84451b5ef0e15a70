/** D601, D602, D674: a second call while talking, presence, and do not disturb, in Chromium, with the sound measured. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const [{ isMissing, language, words, start }] = browsers

describe.skipIf(isMissing)('the phone of the console', () => {
  let service: PhoneService
  let browser: ConsoleBrowser
  let page: ConsolePage
  let office: Office
  let colleague: Softphone

  beforeAll(async () => {
    service = await startPhoneService('28000-28999')
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
    await service?.stop()
  })

  const heard = async () => Math.round((await page.evaluate<number>('strongestHertz()')) / 50) * 50
  const noCall = () => until(page, ':root:not(:has([data-call]))')

  /** In a call with somebody outside. */
  async function talk() {
    await service.callFromOutside(office.bina)
    await page.click(words.answer)
    await expect.poll(heard).toBe(carrierHertz)
  }

  test('holds the first call and answers the second by Enter; the two change places, and the first is left at the end', async () => {
    await talk()
    await colleague.call('1000')
    await until(page, '[data-waiting]')
    await page.press('Enter')
    await expect.poll(heard).toBe(colleagueHertz)
    await page.click(words.swap)
    await expect.poll(heard).toBe(carrierHertz)
    await page.click(words.swap)
    await expect.poll(heard).toBe(colleagueHertz)
    await page.click(words.hangUp)
    await expect.poll(heard).toBe(carrierHertz)
    await page.click(words.hangUp)
    await noCall()
  })

  test('refuses a second call as busy, and goes on with the first', async () => {
    await talk()
    await colleague.call('1000')
    await until(page, '[data-waiting]')
    await page.click(words.decline)
    await until(page, ':root:not(:has([data-waiting]))')
    await expect.poll(async () => (await office.get('/calls?page=1')).data[0].hangup_cause).toBe('USER_BUSY')
    expect(await heard()).toBe(carrierHertz)
    await page.click(words.hangUp)
    await noCall()
  })

  test('a second call that is ignored rings once the first is over', async () => {
    await talk()
    await colleague.call('1000')
    await until(page, '[data-waiting]')
    await page.click(words.ignore)
    await until(page, ':root:not(:has([data-waiting]))')
    await page.click(words.hangUp)
    await until(page, '[data-call=ringing]')
    await page.press('Enter')
    await expect.poll(heard).toBe(colleagueHertz)
    await page.click(words.hangUp)
    await noCall()
  })

  test('shows which colleague is free while a call is transferred, as it changes', async () => {
    const colleagues = await office.get('/extensions/presence')
    const { id } = colleagues.find(({ ramal }: { ramal: string }) => ramal === '1001')
    const disturb = (do_not_disturb: boolean) =>
      office.put(`/extensions/${id}/do-not-disturb`, { do_not_disturb })
    const absent = { ramal: '900', senha: 's3nha-do-ramal', first_name: 'Caio', last_name: 'Lima' }
    const body = { ...absent, email_address: 'caio@padaria.example' }
    expect((await office.post('/extensions', body)).status).toBe(200)
    await talk()
    await page.click(words.transfer)
    await until(page, '.colleagues [data-presence=free]')
    // Colleagues with a registered phone come first.
    await until(page, '.colleagues li:nth-child(2) [data-presence=offline]')
    await disturb(true)
    await until(page, '.colleagues [data-presence=do-not-disturb]')
    await disturb(false)
    await until(page, '.colleagues [data-presence=free]')
    await page.click(words.hangUp)
    await noCall()
  })

  test('that is not to be disturbed says so, also after a reload, and is busy', async () => {
    await page.evaluate(`document.querySelector('.dock-pill').click()`)
    await until(page, '.dock-panel input[type=checkbox]')
    await page.evaluate(`document.querySelector('.dock-panel input[type=checkbox]').click()`)
    const badge = () => page.evaluate<string>(`document.querySelector('[data-phone]').textContent`)
    await expect.poll(badge).toBe(words.undisturbed)
    await page.goto('/console/calls')
    await until(page, '[data-phone=ready]')
    await expect.poll(badge).toBe(words.undisturbed)
    await colleague.call('1000')
    await expect.poll(async () => (await office.get('/calls?page=1')).data[0].hangup_cause).toBe('USER_BUSY')
    expect(await page.evaluate(`document.querySelector('[data-call]') === null`)).toBe(true)
  })
})
