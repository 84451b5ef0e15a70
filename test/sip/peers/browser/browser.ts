/** Chromium with a web phone: WebRTC by somebody else's code. Its microphone is a tone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '../../../console/console-browser.ts'
import { openSite, type PhoneOptions, startWebPhone } from './site.ts'
import { toneFile } from './tone-file.ts'

export async function startBrowser(hertz: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-browser-'))
  const microphone = join(folder, 'microphone.wav')
  await writeFile(microphone, toneFile(hertz))
  const site = await openSite()
  const browser = await startChromium(`--use-file-for-fake-audio-capture=${microphone}`)
  return {
    async openPhone(options: PhoneOptions) {
      const context = await browser.newContext({ permissions: ['microphone'] })
      const page = await context.newPage()
      await page.goto(site.url)
      const evaluate = async <T>(expression: string) => (await page.evaluate(expression)) as T
      return await startWebPhone({ evaluate, close: () => context.close() }, options)
    },
    async stop() {
      await browser.close()
      site.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>
