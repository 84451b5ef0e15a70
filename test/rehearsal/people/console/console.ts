/** People at the console in one browser, one after the other. */
import { join } from 'node:path'
import type { Person, Tell } from '../../runner/story.ts'
import { registerWebhook } from '../../stage/api.ts'
import type { Day } from '../../stage/day.ts'
import { startBrowser } from '../../witnesses/browsers.ts'
import type { Tab } from '../../witnesses/tab.ts'
import { startWebhookReceiver } from '../../witnesses/webhook-receiver.ts'
import { huntFailures } from './failure-hunt.ts'
import { reviewWeek } from './managers-monday.ts'
import { watchFraud } from './operators-desk.ts'
import { sellAnHour } from './sellers-hour.ts'
import { type Browser, openShop, type Shop } from './shop.ts'
import { seatColleague } from './team.ts'

const microphoneHertz = 1000

/** In this order: who comes later sees what the others did. */
const stories = [
  { who: 'developer', tell: huntFailures },
  { who: 'seller in an hour', tell: sellAnHour },
  { who: 'manager on Monday', tell: reviewWeek },
  { who: 'operator at the desk', tell: watchFraud },
]

export async function useConsole(tell: Tell, day: Day, browser: Browser, at: number) {
  await tell(`shop of ${browser.name}`, async (owner) => {
    const setting = { folder: day.evidence, url: day.service.url, hertz: microphoneHertz }
    const { openTab } = await owner.step(
      `starts ${browser.name}`,
      () => startBrowser(owner, browser.name, setting),
      120_000,
    )
    const shop = await owner.step('opens with credit that was paid twice', () => openShop(day, browser, at))
    await owner.step('has a colleague at a desk phone', () => seatColleague(owner, day, shop))
    await owner.check('has a CRM in PHP that counts the calls', async () => {
      const receiver = await startWebhookReceiver((url) => registerWebhook(day.service.api, shop.token, url))
      day.books.push({ who: `shop of ${browser.name}`, token: shop.token, receiver })
    })
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
