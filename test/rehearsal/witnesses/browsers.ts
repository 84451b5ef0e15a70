/** The browsers that people use, by name. */
import type { Person } from '../runner/story.ts'
import { openContext, openTab, startChromium } from './chromium.ts'
import { startFirefox } from './firefox.ts'
import type { Tab } from './tab.ts'

/** Firefox in its language as it comes. */
export const browsers = [
  { name: 'Chromium', language: 'pt' },
  { name: 'Firefox', language: 'en' },
] as const
export type BrowserName = (typeof browsers)[number]['name']

type Setting = { folder: string; url: string; hertz: number }

/** Started for a person, and closed when their story is over. Each tab has cookies of its own. */
export async function startBrowser(
  person: Person,
  name: BrowserName,
  { folder, url, hertz }: Setting,
): Promise<{ openTab: () => Promise<Tab> }> {
  if (name === 'Firefox') {
    const firefox = await startFirefox(hertz)
    person.atEnd(firefox.stop)
    return firefox
  }
  const chromium = await startChromium(folder, hertz)
  person.atEnd(() => chromium.close())
  return { openTab: async () => await openTab(await openContext(chromium, url)) }
}
