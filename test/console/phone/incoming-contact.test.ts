/** D596: who calls is shown while it rings, before anybody answers: the contact, its company and the last note. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Softphone } from '../../../src/engine/endpoint/softphone/softphone.ts'
import {
  browsers,
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
/** From which the carrier calls. */
const outside = '5548988887777'

describe.skipIf(isMissing)('a call that comes in', () => {
  let service: PhoneService
  let browser: ConsoleBrowser
  let page: ConsolePage
  let office: Office
  let colleague: Softphone

  beforeAll(async () => {
    service = await startPhoneService('31000-31999')
    office = await service.openOffice()
    colleague = await service.startColleague(office)
    const contact = { name: 'Carla Dias', company: 'Mercado Dias', numbers: [outside] }
    expect((await office.post('/contacts', contact)).status).toBe(200)
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

  const textIn = (part: string) =>
    page.evaluate<string>(`document.querySelector('${part} .known-contact')?.textContent ?? ''`)
  const noCall = () => until(page, ':root:not(:has([data-call]))')

  test('shows the contact while it rings, and the note of the call before', async () => {
    await service.callFromOutside(office.bina)
    await until(page, '[data-call=ringing]')
    await expect.poll(() => textIn('.call-panel')).toContain('Carla Dias · Mercado Dias')
    expect(await page.evaluate(`document.querySelector('[data-call]').dataset.call`)).toBe('ringing')
    await page.click(words.answer)
    await until(page, '[data-call=talking]')
    await page.click(words.hangUp)
    await noCall()

    const [first] = (await office.get('/calls?page=1')).data
    await office.patch(`/calls/${first.id}`, { notes: 'Prefere falar de manhã' })
    await page.goto('/console/phone')
    await until(page, '[data-phone=ready]')
    await service.callFromOutside(office.bina)
    await until(page, '[data-call=ringing]')
    await expect.poll(() => textIn('.call-panel')).toContain('Prefere falar de manhã')
    await page.click(words.decline)
    await noCall()
  })

  test('shows it beside the call that is talked in, too', async () => {
    await colleague.call('1000')
    await page.click(words.answer)
    const heard = async () => Math.round((await page.evaluate<number>('strongestHertz()')) / 50) * 50
    await expect.poll(heard).toBe(colleagueHertz)
    await service.callFromOutside(office.bina)
    await until(page, '[data-waiting]')
    await expect.poll(() => textIn('[data-waiting]')).toContain('Carla Dias · Mercado Dias')
    await page.click(words.decline)
    await until(page, ':root:not(:has([data-waiting]))')
    await page.click(words.hangUp)
    await noCall()
  })
})
