/**
 * The interactions of a person with a page, with the mouse and the keyboard, and how long each interaction took until it was painted,
 * as browsers measure it (Event Timing; INP).
 */
import type { Locator, Page } from 'playwright-core'

/** Below it browsers do not report an interaction. */
const minReportedMs = 16

export type Interaction = { ms: number; what: string }

/** To be installed before the page loads. */
export const meter = `
  const longest = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries()) {
      if (!interactionId || longest.get(interactionId)?.ms >= duration) continue
      const text = target?.ariaLabel || target?.textContent?.trim().slice(0, 30) || ''
      longest.set(interactionId, { ms: duration, what: name + ' ' + (target?.nodeName ?? '').toLowerCase() + ' ' + text })
    }
  }).observe({ type: 'event', durationThreshold: ${minReportedMs}, buffered: true })
  let before = 0
  window.readInteractions = () => {
    const count = performance.interactionCount - before
    before = performance.interactionCount
    const found = [...longest.values()]
    longest.clear()
    return { count, found }
  }
`

/** Since the last reading; those that browsers do not report took less than 16 ms. */
export async function readInteractions(page: Page): Promise<Interaction[]> {
  await page.waitForTimeout(300)
  type Reading = { count: number; found: Interaction[] }
  const { count, found } = await page.evaluate<Reading>('readInteractions()')
  const quick = Array.from({ length: Math.max(0, count - found.length) }, () => ({
    ms: minReportedMs,
    what: '',
  }))
  return [...found, ...quick]
}

/** People pause between two actions; answers of the service are rendered in the meantime. */
const pauseMs = 150
const keyMs = 70

const first = async (locator: Locator): Promise<Locator | undefined> => {
  for (const one of await locator.all()) if ((await one.isVisible()) && (await one.isEnabled())) return one
  return undefined
}

/** Everything that the page has of what pages have: a search, choices, pages, a dialog; and the search for anything. */
export async function exercise(page: Page) {
  const main = page.getByRole('main')
  const search = await first(main.locator('input[type=search]'))
  if (search) await type(page, search, 'ana 9')
  for (const select of (await main.locator('select').all()).slice(0, 3)) await turn(page, select)
  for (const name of ['Next', 'Previous'])
    await click(page, await first(main.getByRole('button', { name, exact: true })))
  for (const tab of (await main.locator('[aria-pressed], [role=tab], summary').all()).slice(0, 4)) {
    await click(page, (await tab.isVisible()) ? tab : undefined)
  }
  await openDialog(page, await first(page.locator('.page-head button, header button.primary')))
  await openDialog(page, await first(main.locator('tbody tr button')))
  await find(page)
}

export async function click(page: Page, target: Locator | undefined) {
  if (!target) return
  await target.click()
  await page.waitForTimeout(pauseMs)
}

async function type(page: Page, field: Locator, text: string) {
  await click(page, field)
  await page.keyboard.type(text, { delay: keyMs })
  await page.waitForTimeout(2 * pauseMs)
  for (const _ of text) await page.keyboard.press('Backspace', { delay: keyMs })
  await page.waitForTimeout(2 * pauseMs)
}

/** To another choice and back, by the keys. */
async function turn(page: Page, select: Locator) {
  if (!(await select.isVisible())) return
  await select.focus()
  for (const key of ['ArrowDown', 'ArrowUp']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(2 * pauseMs)
  }
}

async function openDialog(page: Page, button: Locator | undefined) {
  await click(page, button)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(pauseMs)
}

/** Ctrl-K. */
async function find(page: Page) {
  await page.keyboard.press('Control+k')
  await page.waitForTimeout(pauseMs)
  await page.keyboard.type('ana', { delay: keyMs })
  await page.waitForTimeout(2 * pauseMs)
  for (const key of ['ArrowDown', 'ArrowDown', 'Escape']) await page.keyboard.press(key)
  await page.waitForTimeout(pauseMs)
}
