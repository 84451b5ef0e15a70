/** Chromium at the console: a microphone that plays, ears that measure, and axe for accessibility. */
import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const rules = '{ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }'

const measuring = readFileSync(new URL('../sip/peers/browser/ears.js', import.meta.url), 'utf8')

/** Measures what the phone of the page receives, while its loudspeaker plays; the page knows nothing of it. */
export const ears = `
  ${measuring}
  const Connection = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Connection {
    constructor(...args) {
      super(...args)
      window.iceServers = args[0]?.iceServers
      this.addEventListener('track', ({ track }) => ears.listen(track))
    }
  }
  const Speaker = window.Audio
  let speaker
  window.Audio = class extends Speaker {
    constructor(...args) {
      super(...args)
      speaker = this
    }
  }
  window.strongestHertz = async () => {
    if (!speaker || speaker.paused || speaker.muted) return 0
    const { hertz, level } = await ears.peak()
    return level < -60 ? 0 : hertz
  }
`

/** The list under the address bar: pages of the browser's own, loaded for each window. They took 0.8 s of processor time a window. */
const addressBarList = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup'

/** The browser asks its maker for updates and sign-ins. */
const makersHosts = 'MAP *.google.com ~NOTFOUND, MAP *.googleapis.com ~NOTFOUND'

/** With its default settings for pages, but a microphone that is not one. */
export async function startChromium(...microphone: string[]): Promise<Browser> {
  return await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      `--disable-features=${addressBarList}`,
      `--host-resolver-rules=${makersHosts}`,
      '--use-fake-device-for-media-stream',
      ...microphone,
    ],
  })
}

type Look = { locale: 'pt-BR' | 'en-GB'; colorScheme: 'light' | 'dark'; width: number }

/** A page that fails the test by what it logs as an error: a script that threw, a policy that was violated. */
export async function openConsole(browser: Browser, url: string, { locale, colorScheme, width }: Look) {
  const context = await browser.newContext({
    baseURL: url,
    locale,
    colorScheme,
    viewport: { width, height: 860 },
    permissions: ['microphone'],
    // Certificates are of the tests' own making.
    ignoreHTTPSErrors: true,
  })
  await context.addInitScript(ears)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) errors.push(message.text())
  })
  return { context, page, errors }
}

/** The strongest frequency that the phone of the page receives, rounded to 50 Hz. */
export async function heardHertz(page: Page): Promise<number> {
  return Math.round((await page.evaluate<number>('strongestHertz()')) / 50) * 50
}

/** No rule of WCAG 2.2 AA is violated. */
export async function expectAccessible(page: Page, name: string, exclude: string[] = []) {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<string[]>(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, ${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  )
  expect(violations, name).toEqual([])
}

type Words = { email: string; password: string; signIn: string }

/** On the sign-in page, or in the dialog of a session that ended. */
export async function typePassword(page: Page, words: Words, password: string, email?: string) {
  if (email !== undefined) await page.getByLabel(words.email).fill(email)
  await page.getByLabel(words.password).last().fill(password)
  await page.getByRole('button', { name: words.signIn, exact: true }).last().click()
}

/** Sums what moved without the person having done anything, as browsers measure it (CLS); to be installed before loading. */
export const shiftMeter = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
