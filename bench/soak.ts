/**
 * `npm run soak -- [--minutes 30] [--calls 20] [--web-phones 2] [--samples file]`: the whole service under steady calls,
 * placed over HTTP, with RTP, recorded, with every kind of end. Beside them, web phones in Chromium take calls and are
 * opened anew, a webhook receiver is stopped and started, the carrier goes away and comes back, and access tokens come
 * and go. Prints its figures every 30 s. Exits with 1 if a figure grew that should stay level, if a resource was not
 * released once all was over, or if a call failed that no outage explains.
 */
import { appendFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBrowser, type TestBrowser } from '../test/sip/peers/browser/browser.ts'
import { freeNeighbours } from '../test/sip/peers/ports.ts'
import {
  accountDomain,
  addExtensions,
  type FullService,
  phonePassword,
  withFullService,
} from './parts/full-service/full-service.ts'
import { type Calling, createCallResults, keepCalling } from './parts/full-service/steady-calls.ts'
import type { Sample } from './parts/growth.ts'
import { type SipEndpoints, withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'
import { judge, judgeLeftovers, lineOf, titleLine } from './parts/soak/figures.ts'
import { keepRegistered } from './parts/soak/keep-registered.ts'
import { createOutages } from './parts/soak/outages.ts'
import { churnTokens } from './parts/soak/token-churn.ts'
import { startTroubledReceiver } from './parts/soak/troubled-receiver.ts'
import { keepAnswering } from './parts/soak/web-phones.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    calls: { type: 'string', default: '20' },
    'web-phones': { type: 'string', default: '2' },
    samples: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const calls = Number(values.calls)
const webPhones = Number(values['web-phones'])
const sampleMs = 10_000
const samplesPerLine = 3
/** SIP transaction timers (such as timer B) run for 32 s after the last message; recordings are moved within a minute. */
const settleMs = 65_000
/** The second retry of a webhook comes after five minutes and a tenth. */
const longestSettleMs = 400_000
const first = 1010
const firstWeb = 2010
const microphoneHertz = 440
const rtpPorts = { from: 22_000, to: 25_999 }
/** Shorter than the 32 s for which SIP sends a request again; and longer than the two OPTIONS that take the trunk out. */
const carrierOutage = { everyMs: 150_000, forMs: [20_000, 100_000] }
const qualifySeconds = 5
/** Until OPTIONS find out that the carrier is back. */
const recoveryMs = 45_000
const receiverOutage = { everyMs: 360_000, forMs: [25_000] }

process.exitCode = (await withSipEndpoints('with RTP', soak)) ? 0 : 1

async function soak(endpoints: SipEndpoints): Promise<boolean> {
  const port = await freeNeighbours(2)
  const wsPort = await freeNeighbours(2)
  const trunk = {
    name: 'bench',
    address: `sip:127.0.0.1:${endpoints.ports.carrier}`,
    channels: 1_000,
    callsPerSecond: 1_000,
    qualifySeconds,
  }
  const env = {
    SIP_PORT: `${port}`,
    SIP_WS_PORT: `${wsPort}`,
    TRUNKS: JSON.stringify([trunk]),
    RTP_PORTS: `${rtpPorts.from}-${rtpPorts.to}`,
  }
  return await withFullService({ engine: 'real', env }, async (service) => {
    await addExtensions(service, first, calls, true)
    await addExtensions(service, firstWeb, webPhones, true)
    const register = () =>
      endpoints.ask('register', {
        port,
        domain: accountDomain,
        password: phonePassword,
        first,
        count: calls,
        concurrency: 16,
      })
    await register()
    const browser = webPhones > 0 ? await startBrowser(microphoneHertz) : undefined
    try {
      return await watch(
        service,
        { endpoints, register },
        browser && { browser, url: `ws://127.0.0.1:${wsPort}` },
      )
    } finally {
      await browser?.stop()
    }
  })
}

type Web = { browser: TestBrowser; url: string }

type Phones = { endpoints: SipEndpoints; register(): Promise<unknown> }

async function watch(
  service: FullService,
  { endpoints, register }: Phones,
  web: Web | undefined,
): Promise<boolean> {
  const until = performance.now() + minutes * 60_000
  const isOver = () => performance.now() >= until
  const results = createCallResults()
  const { media_free_port_pairs: freePairs = 0 } = await service.ask('figures')
  const carrierOutages = createOutages()
  const receiver = await startTroubledReceiver({ service, outage: receiverOutage, isOver })
  const calling: Calling = {
    service,
    results,
    wasAway: (since) => carrierOutages.touched(since, recoveryMs),
    isOver,
  }
  const answer = async (extension: string) =>
    web
      ? await keepAnswering({
          calling,
          browser: web.browser,
          phone: { url: web.url, domain: accountDomain, extension, password: phonePassword },
        })
      : 0
  const setAway = (away: boolean) => endpoints.ask('setCarrierAway', away)
  const talking = Promise.all([
    carrierOutages.run({
      outage: carrierOutage,
      leave: () => setAway(true),
      comeBack: () => setAway(false),
      isOver,
    }),
    churnTokens({ service, email: service.email, fail: results.fail, isOver }),
    Promise.all(extensions(firstWeb, web ? webPhones : 0).map((extension) => answer(extension))),
    keepRegistered({ register, fail: results.fail, isOver }),
    ...extensions(first, calls).map((extension) => keepCalling(calling, extension)),
  ])

  const began = performance.now()
  async function sample(): Promise<Sample> {
    const found = await service.ask('figures')
    const used = { media_used_port_pairs: freePairs - (found.media_free_port_pairs ?? 0) }
    const taken = {
      seconds: (performance.now() - began) / 1000,
      figures: { ...found, ...used, load: loadavg()[0] ?? 0 },
    }
    if (values.samples) appendFileSync(values.samples, `${JSON.stringify(taken)}\n`)
    return taken
  }

  const samples: Sample[] = []
  say(titleLine())
  while (!isOver()) {
    await sleep(Math.min(sampleMs, Math.max(1, until - performance.now())))
    const { seconds, figures } = await sample()
    samples.push({ seconds, figures })
    if (samples.length % samplesPerLine === 0) say(lineOf(figures))
  }
  const [, tokens, pages] = await talking
  const receiverOutages = await receiver.isBack()
  await sleep(settleMs)
  let after = await sample()
  const latest = performance.now() + longestSettleMs
  while ((after.figures.waiting_deliveries ?? 0) > 0 && performance.now() < latest) {
    await sleep(sampleMs)
    after = await sample()
  }
  say(`once all is over:\n${lineOf(after.figures)}`)
  say(`calls by their end: ${JSON.stringify(results.counts())}`)
  say(
    `${tokens} tokens; ${pages.reduce((sum, count) => sum + count, 0)} pages of web phones; ` +
      `${carrierOutages.count()} outages of the carrier, ${receiverOutages} of the receiver; ` +
      `${await receiver.stop()} webhooks received`,
  )
  const failed = results.failures()
  for (const failure of failed.first) say(`FAILS: ${failure}`)
  if (failed.count > failed.first.length) say(`FAILS: ${failed.count} in all`)
  const growths = [...judge(samples), ...judgeLeftovers(after.figures)]
  for (const growth of growths) say(`GROWS: ${growth}`)
  say(growths.length === 0 ? 'nothing grew' : `${growths.length} figures grew or were left over`)
  return growths.length === 0 && failed.count === 0
}

function extensions(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${from + index}`)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
