/** A manager's Monday: last week in figures, a caller who is looked for, a recording, and the calls in a spreadsheet. */
import { finderWords } from '../../../../console/finder/words.ts'
import { callPageWords } from '../../../../console/pages/calls/words.ts'
import { reportWords } from '../../../../console/pages/reports/words.ts'
import { telephone } from '../../../../console/parts/telephone.ts'
import { commonWords } from '../../../../console/words/common.ts'
import { eventually } from '../../runner/polling.ts'
import { request } from '../../stage/api.ts'
import { customerOfConsole } from '../../stage/carrier.ts'
import { openInCalc } from '../../witnesses/spreadsheet.ts'
import { enter, read, rowWith } from '../../witnesses/tab.ts'
import { compareSheet, fields, type SheetCall } from './calls-in-calc.ts'
import type { Scene } from './console.ts'
import { missedCaller, type Outcome, transferredCustomer } from './sellers-hour.ts'
import { signIn } from './shop.ts'
import { seller } from './team.ts'

const contact = 'Assunção Padilha'

export async function reviewWeek(scene: Scene) {
  const { person, day, shop, tab } = scene
  const { api, url } = day.service
  const words = { ...commonWords[shop.language], ...callPageWords[shop.language] }
  const report = reportWords[shop.language]
  const finder = finderWords[shop.language]
  const caller = customerOfConsole(shop.at, missedCaller)
  const get = <T>(path: string) => request<T>(shop.token, 'GET', `${api}${path}`)
  const filter = encodeURIComponent(JSON.stringify({ fields, limit: 100 }))
  const { data: calls } = await get<{ data: SheetCall[] }>(`/calls?page=1&filter=${filter}`)
  const { outcomes } = await get<{ outcomes: Outcome[] }>('/calls/outcomes')

  const texts = (selector: string) =>
    tab.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`,
    )
  /** Until the history shows calls with this text alone, so many if that is known. */
  async function showsOnly(text: string, count?: number) {
    await read(tab, words.title, 'h1')
    const look = async () => {
      const rows = await texts('main tbody tr')
      const isRight = rows.length > 0 && rows.length === (count ?? rows.length)
      if (isRight && rows.every((row) => row.includes(text))) return true
      throw new Error(`${rows.length} rows: ${rows.join(' | ')}`)
    }
    await eventually(look, { what: `calls with ${text} alone` })
  }
  async function search(label: string, text: string) {
    await tab.open(`${url}/console/calls`)
    await tab.fill(label, text)
  }

  await person.step('signs in at the report, which counts the calls of the week', async () => {
    await signIn(tab, `${url}/console/reports`, shop.manager)
    await read(tab, report.title, 'h1')
    const shown = new RegExp(`^\\s*${report.calls}\\s*${calls.length}(?!\\d)`, 'i')
    const look = async () => {
      const figures = await texts('main a')
      if (figures.some((figure) => shown.test(figure))) return true
      throw new Error(`figures: ${figures.join(' | ')}`)
    }
    await eventually(look, { what: `${calls.length} calls` })
  })
  await person.check('goes from the figure of an outcome to its calls', async () => {
    const { key = '', label = '' } = outcomes[0] ?? {}
    const count = calls.filter(({ outcome }) => outcome === key).length
    await tab.press(report.groups.outcome, 'main')
    await tab.press(String(count), await rowWith(tab, report.groups.outcome, label))
    await showsOnly(label, count)
  })
  await person.check('finds a caller by the last digits of the number, and by its middle', async () => {
    for (const part of [caller.slice(-4), caller.slice(4, -1)]) {
      await search(words.search, part)
      await showsOnly(telephone(caller), calls.filter(({ from, to }) => [from, to].includes(caller)).length)
    }
  })
  await person.check(
    'finds the same caller by the name, with the keyboard, and the seller by hers',
    async () => {
      await request(shop.token, 'POST', `${api}/contacts`, { name: contact, numbers: [caller] })
      await tab.open(`${url}/console/`)
      await tab.see('h1')
      await tab.control('k')
      await tab.see('dialog [role=combobox]:focus')
      await tab.keys(contact.slice(0, 5))
      await read(tab, finder.calls(contact), '[role=listbox]')
      await tab.keys(enter)
      await showsOnly(telephone(caller))
      await search(words.personSearch, seller.name)
      await showsOnly(seller.name)
    },
  )
  await person.check('listens to a recording from the list', async () => {
    const number = customerOfConsole(shop.at, transferredCustomer)
    await search(words.search, number.slice(2))
    await tab.press(words.playOf(telephone(number)), 'main')
    const position = () => tab.evaluate<number>('window.loudspeaker?.currentTime ?? 0')
    await eventually(async () => (await position()) > 0.5 || undefined, { what: 'sound' })
  })
  await person.check('takes the calls home, which LibreOffice opens as the console shows them', async () => {
    await tab.open(`${url}/console/calls`)
    await read(tab, words.title, 'h1')
    const file = await tab.download(words.exportCsv)
    compareSheet(await openInCalc(file, shop.language), calls, { outcomes, language: shop.language })
  })
}
