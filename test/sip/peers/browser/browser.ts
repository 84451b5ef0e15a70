/** Chromium with a web phone: WebRTC by somebody else's code. Its microphone is a tone. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { wavHeader, wavSampleRate } from '../../../../src/engine/media/sound/wav.ts'

export type Library = 'jssip' | 'sip.js'

type PageEvent = { type: string; request?: string; cause?: string; status?: number; by?: string }

type PhoneOptions = {
  library?: Library
  /** Of the WebSocket. */
  url: string
  domain: string
  extension: string
  password: string
}

const entry = fileURLToPath(new URL('./page.js', import.meta.url))
const patience = { timeout: 30_000 }

export async function startBrowser(hertz: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-browser-'))
  const microphone = join(folder, 'microphone.wav')
  await writeFile(microphone, toneFile(hertz))
  const script = await bundlePage()
  const site = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`)
    response.end(isScript ? script : '<!doctype html><body><script src="/page.js"></script></body>')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
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
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.evaluate(`phone.start(${JSON.stringify(options)})`)
      return webPhone(page, () => context.close())
    },
    async stop() {
      await browser.close()
      site.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>

function webPhone(page: Page, close: () => Promise<void>) {
  const events = async (): Promise<PageEvent[]> => await page.evaluate('phone.events')
  const run = async (code: string) => void (await page.evaluate(`void phone.${code}`))
  return {
    events,
    /** The first event of a type, after those already seen. */
    async until(type: string, after = 0): Promise<PageEvent> {
      const found = `phone.events.slice(${after}).find(({ type }) => type === '${type}')`
      try {
        return (await page.waitForFunction(found, undefined, patience)).jsonValue() as Promise<PageEvent>
      } catch (error) {
        throw new Error(`no ${type} among ${JSON.stringify(await events())}`, { cause: error })
      }
    },
    /** The strongest frequency of what it hears, and its level in dB. */
    peak: async (): Promise<{ hertz: number; level: number }> => await page.evaluate('phone.peak()'),
    statistics: async (): Promise<Record<string, string | number>> =>
      await page.evaluate('phone.statistics()'),
    dial: (number: string) => run(`dial('${number}')`),
    answer: () => run('answer()'),
    refuse: (status: number) => run(`refuse(${status})`),
    hangUp: () => run('hangUp()'),
    hold: () => run('hold()'),
    resume: () => run('resume()'),
    restartIce: () => run('restartIce()'),
    press: (digit: string) => run(`press('${digit}')`),
    unregister: () => run('unregister()'),
    /** As a page that is closed, without a word. */
    stop: close,
  }
}
export type WebPhone = ReturnType<typeof webPhone>

let bundled: Promise<string> | undefined

/** The page with its libraries in one script; built once. */
function bundlePage(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'page' } },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('the page was not built')
  return output.output[0].code
}

/** Ten seconds of a tone, which the browser repeats. */
function toneFile(hertz: number): Buffer {
  const frames = 10 * wavSampleRate
  const samples = Buffer.alloc(2 * frames)
  for (let n = 0; n < frames; n += 1)
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * n) / wavSampleRate)), 2 * n)
  return Buffer.concat([wavHeader(frames, 1), samples])
}
