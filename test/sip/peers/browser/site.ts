/** The page with a web phone: served to a browser, and driven by a test, whichever browser it is. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export type Library = 'jssip' | 'sip.js'

type PageEvent = { type: string; request?: string; cause?: string; status?: number; by?: string }

export type PhoneOptions = {
  library?: Library
  /** URL of the WebSocket. */
  url: string
  domain: string
  extension: string
  password: string
  /** As RTCPeerConnection takes it; with JsSIP only. */
  connection?: { iceServers: object[]; iceTransportPolicy: 'relay' }
}

const entry = fileURLToPath(new URL('./page.js', import.meta.url))
const timeoutMs = 30_000
const pollMs = 50

export async function openSite() {
  const script = await bundlePage()
  const site = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`)
    response.end(isScript ? script : '<!doctype html><body><script src="/page.js"></script></body>')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => site.close() }
}

type Page = {
  /** The value of an expression, or what its promise resolves to, as JSON carries it. */
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<unknown>
}

export async function startWebPhone({ evaluate, close }: Page, options: PhoneOptions) {
  await evaluate(`phone.start(${JSON.stringify(options)})`)
  const events = () => evaluate<PageEvent[]>('phone.events')
  const run = async (code: string) => void (await evaluate(`void phone.${code}`))
  return {
    events,
    /** The first event of a type, after those already seen. */
    async until(type: string, after = 0): Promise<PageEvent> {
      // Not by Vitest: the soak uses the page too.
      const deadline = performance.now() + timeoutMs
      for (;;) {
        const seen = await events()
        const found = seen.slice(after).find((event) => event.type === type)
        if (found) return found
        if (performance.now() > deadline) throw new Error(`no ${type} among ${JSON.stringify(seen)}`)
        await sleep(pollMs)
      }
    },
    /** The strongest frequency of what it hears, and its level in dB. */
    peak: () => evaluate<{ hertz: number; level: number }>('phone.peak()'),
    statistics: () => evaluate<Record<string, string | number>>('phone.statistics()'),
    /** Replaces something in the descriptions that arrive or are sent; with JsSIP only. */
    edit: (originator: 'local' | 'remote', from: string, to: string) =>
      run(`edit(...${JSON.stringify([originator, from, to])})`),
    dial: (number: string) => run(`dial('${number}')`),
    answer: () => run('answer()'),
    refuse: (status: number) => run(`refuse(${status})`),
    hangUp: () => run('hangUp()'),
    hold: () => run('hold()'),
    resume: () => run('resume()'),
    /** Transfers its call before the last one to the party of the last one; with JsSIP only. */
    connectCalls: () => run('connectCalls()'),
    restartIce: () => run('restartIce()'),
    press: (digit: string) => run(`press('${digit}')`),
    unregister: () => run('unregister()'),
    /** As a page that is closed, without a word. */
    stop: close,
  }
}
export type WebPhone = Awaited<ReturnType<typeof startWebPhone>>

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
