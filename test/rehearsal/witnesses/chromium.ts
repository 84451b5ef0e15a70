/** Chromium as it comes: headless, with a microphone that plays a tone and may be used. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { writeToneWav } from '../../sip/peers/tones.ts'
import { need } from '../runner/programs.ts'
import { ears, enter, nextField, type Tab } from './tab.ts'

const isRoot = process.getuid?.() === 0
const patience = 30_000

export async function startChromium(folder: string, hertz: number): Promise<Browser> {
  need('chromium')
  const microphone = join(folder, `microphone-${hertz}.wav`)
  await writeToneWav(microphone, hertz, 10)
  return await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
    ],
  })
}

export async function openContext(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'pt-BR',
    permissions: ['microphone'],
    viewport: { width: 1280, height: 860 },
  })
  await context.addInitScript(ears)
  context.setDefaultTimeout(patience)
  return context
}

const keyNames: Record<string, string> = { [nextField]: 'Tab', [enter]: 'Enter' }

const found = (part: Locator, name: string) =>
  part
    .getByRole('button', { name, exact: true })
    .or(part.getByRole('link', { name, exact: true }))
    .first()

export async function openTab(context: BrowserContext): Promise<Tab & { page: Page }> {
  const page = await context.newPage()
  return {
    page,
    open: async (url) => void (await page.goto(url)),
    fill: (label, text) => page.getByLabel(label, { exact: true }).last().fill(text),
    press: (name, part = 'body') => found(page.locator(part), name).click(),
    async keys(text) {
      for (const key of text) {
        const name = keyNames[key]
        if (name === undefined) await page.keyboard.type(key)
        else await page.keyboard.press(name)
      }
    },
    control: (key) => page.keyboard.press(`Control+${key}`),
    see: (selector) => page.locator(selector).first().waitFor(),
    gone: (selector) => page.locator(selector).first().waitFor({ state: 'detached' }),
    evaluate: (expression) => page.evaluate(expression),
    async download(name) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        found(page.locator('body'), name).click(),
      ])
      return await download.path()
    },
    /** With its other pages, such as that of a payment. */
    async screenshot(path) {
      for (const [index, one] of context.pages().entries()) {
        await one.screenshot({ path: path.replace('.png', `-${index + 1}.png`) })
      }
    },
    close: () => page.close(),
  }
}
