/** Sellers talk to customers all day with the phone of the console: one in Chromium, one in Firefox. */
import { join } from 'node:path'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { eventually } from '../runner/polling.ts'
import type { Person } from '../runner/story.ts'
import { request } from '../stage/api.ts'
import { customers, hertz } from '../stage/carrier.ts'
import type { Day } from '../stage/day.ts'
import { openContext, openTab, startChromium } from '../witnesses/chromium.ts'
import { startFirefox } from '../witnesses/firefox.ts'
import { mailedLink } from '../witnesses/mailbox.ts'
import { hear, type Tab } from '../witnesses/tab.ts'

/** What the microphones of the sellers say. */
export const sellersHertz = 1000
const password = 'outra senha boa'

export const colleagues = [
  {
    name: 'Bia',
    browser: 'Chromium',
    language: 'pt',
    email: 'bia@aurora.example',
    extension: '1001',
    number: '554833331001',
    dials: customers.seller,
    clicks: customers.sellerClickToCall,
    transfersTo: customers.transferTarget,
  },
  {
    name: 'Caio',
    browser: 'Firefox',
    // Its language as it comes.
    language: 'en',
    email: 'caio@aurora.example',
    extension: '1002',
    number: '554833331002',
    dials: customers.colleague,
    clicks: customers.colleagueClickToCall,
    transfersTo: customers.colleagueTransferTarget,
  },
] as const
export type Colleague = (typeof colleagues)[number]

/** Words on the page of an invitation. */
const choosing = {
  pt: { field: 'Senha', button: 'Salvar senha', done: 'Senha salva' },
  en: { field: 'Password', button: 'Save password', done: 'Password saved' },
}

export async function sell(person: Person, day: Day, me: Colleague) {
  const { step, check } = person
  const { service, carrier } = day
  const { language } = me
  const words = { ...commonWords[language], ...shellWords[language], ...phoneWords[language] }
  const office = await day.office.value
  const tab = await step(`starts ${me.browser}`, () => openBrowser(person, day, me), 120_000)
  person.watch((name) => tab.screenshot(join(day.evidence, `${name}.png`)))
  const hears = (tone: number) => hear(tab, tone)

  await step('follows the invitation and chooses a password', async () => {
    await tab.open(await mailedLink(service.mailbox(), me.email))
    const { field, button, done } = choosing[language]
    await tab.fill(field, password)
    await tab.press(button)
    await eventually(async () => ((await textOf(tab)).includes(done) ? true : undefined), { what: done })
  })
  await step('signs in, and the phone of the page is ready', async () => {
    await tab.open(`${service.url}/console/phone`)
    await tab.see('input[type=password]')
    await tab.fill(words.email, me.email)
    await tab.fill(words.password, password)
    await tab.press(words.signIn)
    await tab.see('[data-phone=ready]')
  })

  await check('calls a customer, holds, resumes and transfers the call, with sound all the way', async () => {
    await tab.fill(words.number, me.dials.slice(2))
    await tab.press(words.call)
    const customer = await carrier.answeredBy(me.dials)
    await tab.see('[data-call=talking]')
    await hears(hertz.customer)
    await tab.press(words.hold)
    await eventually(async () => ((await textOf(tab)).includes(words.held) ? true : undefined), {
      what: words.held,
    })
    await tab.press(words.resume)
    await hears(hertz.customer)
    await tab.press(words.transfer)
    await tab.fill(words.transferTo, me.transfersTo.slice(2))
    await tab.press(words.transferNow)
    const target = await carrier.answeredBy(me.transfersTo)
    await tab.gone('[data-call]')
    await target.talk()
    await target.hangUp()
    await customer.ended()
    await must('the customer hears the seller', customer.heardSeconds(sellersHertz))
    await must('the customer hears the new party', customer.heardSeconds(hertz.transferTarget))
    await must('the new party hears the customer', target.heardSeconds(hertz.customer))
  })
  await check('is called by a customer, answers with the button, talks and hangs up', async () => {
    await tab.see('[data-phone=ready]')
    const customer = await carrier.call(me.number, service.sip.udp)
    await tab.see('[data-call=ringing]')
    await tab.press(words.answer)
    await tab.see('[data-call=talking]')
    await hears(hertz.caller)
    await customer.talk()
    await tab.press(words.hangUp)
    await tab.gone('[data-call]')
    await customer.ended()
    await must('the customer hears the seller', customer.heardSeconds(sellersHertz))
  })
  await check('answers a call that the CRM placed, talks to the customer and hangs up', async () => {
    await tab.see('[data-phone=ready]')
    const input = { extension: me.extension, called: me.clicks, metadata: { lead: 7 } }
    await request(office.token, 'POST', `${service.api}/calls`, input)
    await tab.see('[data-call=ringing]')
    await tab.press(words.answer)
    const customer = await carrier.answeredBy(me.clicks)
    await hears(hertz.customer)
    await tab.see('[data-call=talking]')
    await customer.talk()
    await tab.press(words.hangUp)
    await tab.gone('[data-call]')
    await customer.ended()
    await must('the customer hears the seller', customer.heardSeconds(sellersHertz))
  })
}

async function openBrowser(person: Person, day: Day, { browser }: Colleague): Promise<Tab> {
  if (browser === 'Firefox') {
    const firefox = await startFirefox(sellersHertz)
    person.atEnd(firefox.stop)
    return await firefox.openTab()
  }
  const chromium = await startChromium(day.evidence, sellersHertz)
  person.atEnd(() => chromium.close())
  return await openTab(await openContext(chromium, day.service.url))
}

const textOf = (tab: Tab) => tab.evaluate<string>('document.body.innerText')

async function must(what: string, heard: Promise<number>) {
  const seconds = await heard
  if (seconds < 0.5) throw new Error(`${what} for ${seconds} s only`)
}
