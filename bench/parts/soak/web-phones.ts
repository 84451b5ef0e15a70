/** A web phone in Chromium that takes the calls of its extension. Its page is closed and opened anew all the time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestBrowser } from '../../../test/sip/peers/browser/browser.ts'
import { type Calling, keepCalling } from '../full-service/steady-calls.ts'

type Options = {
  calling: Calling
  browser: TestBrowser
  /** What the page registers with. */
  phone: { url: string; domain: string; extension: string; password: string }
}

const pageMs = 90_000
const pollMs = 200
/** The events of a page may stand in it. */
const maxErrorLength = 300

/** Returns how many pages there were. */
export async function keepAnswering({ calling, browser, phone }: Options): Promise<number> {
  const { service, results, wasAway, isOver } = calling
  let pages = 0
  for (; !isOver(); pages += 1) {
    try {
      await openPage(pages)
    } catch (error) {
      results.fail(`${new Date().toISOString()} a web phone: ${String(error).slice(0, maxErrorLength)}`)
      await sleep(1_000)
    }
  }
  return pages

  async function openPage(count: number) {
    const until = performance.now() + pageMs
    const page = await browser.openPhone(phone)
    let isClosing = false
    try {
      await page.until('registered')
      const answering = answerCalls(page, () => isClosing)
      const isLeaving = () => isOver() || performance.now() > until
      await keepCalling({ service, results, wasAway, isOver: isLeaving }, phone.extension)
      isClosing = true
      await answering
      // Every other page is closed without a word.
      if (count % 2 === 0) {
        await page.unregister()
        await page.until('unregistered')
      }
    } finally {
      isClosing = true
      await page.stop()
    }
  }
}

async function answerCalls(page: Awaited<ReturnType<TestBrowser['openPhone']>>, isClosing: () => boolean) {
  let answered = 0
  while (!isClosing()) {
    const incoming = (await page.events()).filter(({ type }) => type === 'incoming').length
    if (incoming > answered) {
      answered = incoming
      // Its caller may have hung up meanwhile: then there is nothing to answer.
      await page.answer().catch(() => {})
    }
    await sleep(pollMs)
  }
}
