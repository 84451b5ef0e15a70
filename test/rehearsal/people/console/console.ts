/** People at the console in one browser, one after the other. */
import { join } from 'node:path'
import type { Person, Tell } from '../../runner/story.ts'
import type { Day } from '../../stage/day.ts'
import { startBrowser } from '../../witnesses/browsers.ts'
import type { Tab } from '../../witnesses/tab.ts'
import { watchFraud } from './operators-desk.ts'
import { type Browser, openShop, type Shop } from './shop.ts'

const microphoneHertz = 1000

const stories = [{ who: 'operator at the desk', tell: watchFraud }]

export async function useConsole(tell: Tell, day: Day, browser: Browser, at: number) {
  await tell(`shop of ${browser.name}`, async (owner) => {
    const setting = { folder: day.evidence, url: day.service.url, hertz: microphoneHertz }
    const { openTab } = await owner.step(
      `starts ${browser.name}`,
      () => startBrowser(owner, browser.name, setting),
      120_000,
    )
    const shop = await owner.step('opens with credit that was paid twice', () => openShop(day, browser, at))
    for (const story of stories) {
      await tell(`${story.who}, in ${browser.name},`, async (person) => {
        const tab = await openWatched(person, day, openTab)
        await story.tell({ person, day, shop, tab })
      })
    }
  })
}

export type Scene = { person: Person; day: Day; shop: Shop; tab: Tab }

async function openWatched(person: Person, day: Day, openTab: () => Promise<Tab>): Promise<Tab> {
  const tab = await openTab()
  person.atEnd(tab.close)
  person.watch((name) => tab.screenshot(join(day.evidence, `${name}.png`)))
  return tab
}
