/** Chromium with a web phone: WebRTC by somebody else's code. Its microphone is a tone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { wavHeader, wavSampleRate } from '../../../../src/engine/media/sound/wav.ts'
import { openSite, type PhoneOptions, startWebPhone } from './site.ts'

export async function startBrowser(hertz: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-browser-'))
  const microphone = join(folder, 'microphone.wav')
  await writeFile(microphone, toneFile(hertz))
  const site = await openSite()
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      '--allow-loopback-in-peer-connection',
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ],
  })
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

/** Ten seconds of a tone, which the browser repeats. */
function toneFile(hertz: number): Buffer {
  const frames = 10 * wavSampleRate
  const samples = Buffer.alloc(2 * frames)
  for (let n = 0; n < frames; n += 1)
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * n) / wavSampleRate)), 2 * n)
  return Buffer.concat([wavHeader(frames, 1), samples])
}
