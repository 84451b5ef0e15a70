/** An hour of a seller: thirty calls, what came of each, one caller who was missed, and one customer for a colleague. */

import { missedWords } from '../../../../console/pages/missed/words.ts'
import { telephone } from '../../../../console/parts/telephone.ts'
import { phoneWords } from '../../../../console/phone/words.ts'
import { commonWords } from '../../../../console/words/common.ts'
import { eventually } from '../../runner/polling.ts'
import { request } from '../../stage/api.ts'
import { customerOfConsole } from '../../stage/carrier.ts'
import { enter, moveTo, read } from '../../witnesses/tab.ts'
import type { Scene } from './console.ts'
import { signIn } from './shop.ts'
import { colleague, hireSeller } from './team.ts'

const hourMs = 300_000
/** Fewer in Firefox, for the time it takes. The last two are called back and transferred. */
const callsIn = { Chromium: 30, Firefox: 12 }
const dayMs = 86_400_000
/** Numbers of customers. */
export const missedCaller = 50
export const transferredCustomer = 61
/** Some have what spreadsheets stumble over. */
const notes = ['', 'Ligar às 15h; falar com a Conceição', '', '"Só à vista", disse']

export type Outcome = { key: string; label: string }
type Given = { number: string; outcome: string; notes: string }

export async function sellAnHour(scene: Scene) {
  const { person, day, shop, tab } = scene
  const { service, carrier } = day
  const { api } = service
  const words = { ...commonWords[shop.language], ...phoneWords[shop.language] }
  const given: Given[] = []
  const calls = callsIn[shop.browser]
  const { outcomes } = await request<{ outcomes: Outcome[] }>(shop.token, 'GET', `${api}/calls/outcomes`)

  const me = await person.step('is hired with an extension and a number', () => hireSeller(day, shop))
  await person.step('signs in, and the phone of the page is ready', async () => {
    await signIn(tab, `${service.url}/console/phone`, me)
    await tab.see('[data-phone=ready]')
  })
  await person.step('is called by somebody who gives up', async () => {
    const caller = await carrier.call(me.number, service.sip.udp, customerOfConsole(shop.at, missedCaller))
    await tab.see('[data-call=ringing]')
    await caller.hangUp()
    await tab.gone('[data-call]')
  })

  /** Digit, note and Enter on the card of the call that has ended. */
  async function noteOutcome(number: string) {
    const at = given.length
    const outcome = outcomes[at % outcomes.length]
    const note = notes[at % notes.length] ?? ''
    await tab.see('[data-after-call]')
    await tab.keys(`${(at % outcomes.length) + 1}${note}${enter}`)
    await tab.gone('[data-after-call]')
    given.push({ number, outcome: outcome?.key ?? '', notes: note })
  }

  await person.step(
    `calls ${calls - 2} customers by keyboard alone, and notes what came of each with three keys`,
    async () => {
      await tab.fill(words.number, '')
      for (let at = 0; at < calls - 2; at += 1) {
        const number = customerOfConsole(shop.at, at)
        await tab.keys(`${number.slice(2)}${enter}`)
        const customer = await carrier.answeredBy(number)
        await tab.see('[data-call=talking]')
        // Either side ends some of the calls.
        if (at % 2 === 0) await customer.hangUp()
        else {
          await moveTo(tab, words.hangUp)
          await tab.keys(enter)
        }
        await customer.ended()
        await noteOutcome(number)
      }
    },
    hourMs,
  )
  await person.step('calls back the caller who was missed, who leaves the list', async () => {
    const number = customerOfConsole(shop.at, missedCaller)
    await tab.press(words.missed('1'))
    await read(tab, missedWords[shop.language].title, 'h1')
    await tab.press(words.callNumber(telephone(number)), 'main')
    const customer = await carrier.answeredBy(number)
    await tab.see('[data-call=talking]')
    await customer.hangUp()
    await noteOutcome(number)
    await read(tab, missedWords[shop.language].none, 'main')
  })
  await person.step('hands a customer to the colleague, who answers', async () => {
    const number = customerOfConsole(shop.at, transferredCustomer)
    await tab.open(`${service.url}/console/phone`)
    await tab.see('[data-phone=ready]')
    await tab.fill(words.number, number.slice(2))
    await tab.keys(enter)
    const customer = await carrier.answeredBy(number)
    await tab.see('[data-call=talking]')
    // Twice: a call of up to three seconds is free, and the manager's spreadsheet must have a price.
    await customer.talk()
    await customer.talk()
    await tab.press(words.transfer)
    await tab.fill(words.transferTo, colleague.extension)
    await tab.press(words.transferNow)
    await tab.gone('[data-call]')
    await noteOutcome(number)
    await customer.hangUp()
    await customer.ended()
  })
  await person.check('finds in the history and in the statistics what was noted, and nothing else', () =>
    compare(scene, given),
  )
}

type Row = { to: string; outcome: string | null; notes: string }
const fields = ['to', 'outcome', 'notes']
type Counted = { group: string | null; calls: number }

async function compare({ day, shop }: Scene, given: Given[]) {
  const get = <T>(path: string) => request<T>(shop.token, 'GET', `${day.service.api}${path}`)
  const filter = encodeURIComponent(JSON.stringify({ where: { outcome: { neq: null } }, fields, limit: 100 }))
  const { data } = await get<{ data: Row[] }>(`/calls?page=1&filter=${filter}`)
  const noted = data.map(({ to, outcome, notes: text }) => `${to} ${outcome} ${text}`)
  const expected = given.map(({ number, outcome, notes: text }) => `${number} ${outcome} ${text}`)
  mustBe(noted, expected)
  const now = Date.now()
  const [from, to] = [now - dayMs, now + dayMs].map((at) => new Date(at).toISOString())
  // Statistics may be some seconds old.
  const look = async () => {
    const stats = await get<{ data: Counted[] }>(`/calls/stats?from=${from}&to=${to}&by=day&group=outcome`)
    const counted = stats.data
      .filter(({ group }) => group !== null)
      .flatMap(({ group, calls }) => Array(calls).fill(group))
    mustBe(
      counted,
      given.map(({ outcome }) => outcome),
    )
    return true
  }
  await eventually(look, { what: 'the statistics of the outcomes' })
}

function mustBe(found: string[], expected: string[]) {
  if (found.toSorted().join('\n') === expected.toSorted().join('\n')) return
  throw new Error(`expected ${expected.join(', ')}; found ${found.join(', ')}`)
}
