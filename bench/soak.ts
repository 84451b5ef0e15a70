/**
 * `npm run soak -- [--minutes 30] [--calls 20]`: the whole service under steady calls, placed over HTTP, with RTP,
 * recorded, with every kind of end. Prints its figures every 30 s. Exits with 1 if a figure grew that should stay level,
 * if a resource was not released once all calls were over, or if a call failed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freeNeighbours } from '../test/sip/peers/ports.ts'
import {
  accountDomain,
  addExtensions,
  type FullService,
  phonePassword,
  withFullService,
} from './parts/full-service/full-service.ts'
import { createCallResults, keepCalling } from './parts/full-service/steady-calls.ts'
import { judgeGrowth, type Sample } from './parts/growth.ts'
import { type SipEndpoints, withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, calls: { type: 'string', default: '20' } },
})
const minutes = Number(values.minutes)
const calls = Number(values.calls)
const sampleMs = 10_000
const samplesPerLine = 3
/** SIP transaction timers (such as timer B) run for 32 s after the last message; recordings are moved within a minute. */
const settleMs = 65_000
const first = 1010
const rtpPorts = { from: 22_000, to: 25_999 }

/** How much a figure may rise over the second half of the run: a share of its value, or a number of units. */
const slacks = {
  rss_mb: { share: 0.05, units: 8 },
  heap_mb: { share: 0.05, units: 4 },
  external_mb: { share: 0.1, units: 4 },
  open_files: { share: 0.1, units: 8 },
  spooled_files: { share: 0.5, units: 10 },
  handle_Timeout: { share: 0.25, units: 60 },
  handle_UDPWrap: { share: 0, units: 4 },
  handle_TCPSocketWrap: { share: 0, units: 8 },
  sip_transactions_client: { share: 0.25, units: 60 },
  sip_transactions_server: { share: 0.25, units: 60 },
  sip_legs: { share: 0.25, units: 10 },
  media_calls: { share: 0.25, units: 10 },
  calls: { share: 0.25, units: 10 },
  registrations: { share: 0, units: 0.5 },
  guard_sources: { share: 0, units: 1 },
  connections: { share: 0, units: 4 },
  live_call_rows: { share: 0.25, units: 10 },
  waiting_deliveries: { share: 0.25, units: 10 },
  registration_rows: { share: 0, units: 0.5 },
}
/** Figures that must be zero when every call is over. */
const leftovers = [
  'calls',
  'sip_legs',
  'sip_transactions_client',
  'media_calls',
  'live_call_rows',
  'spooled_files',
]
/** Columns, by the figures they show. */
const columns: Record<string, string> = {
  rss_mb: 'RSS MB',
  heap_mb: 'heap MB',
  external_mb: 'ext MB',
  open_files: 'files',
  handle_UDPWrap: 'UDP',
  handle_Timeout: 'timers',
  calls: 'calls',
  sip_legs: 'legs',
  sip_transactions_client: 'asked',
  sip_transactions_server: 'answered',
  media_free_port_pairs: 'RTP free',
  connections: 'db conns',
  live_call_rows: 'live rows',
  call_rows: 'rows',
  spooled_files: 'spool',
  database_mb: 'db MB',
  wal_mb: 'WAL MB',
}
const width = 9

process.exitCode = (await withSipEndpoints('with RTP', soak)) ? 0 : 1

async function soak(endpoints: SipEndpoints): Promise<boolean> {
  const port = await freeNeighbours(2)
  const trunk = {
    name: 'bench',
    address: `sip:127.0.0.1:${endpoints.ports.carrier}`,
    channels: 1_000,
    callsPerSecond: 1_000,
  }
  const env = {
    SIP_PORT: `${port}`,
    TRUNKS: JSON.stringify([trunk]),
    RTP_PORTS: `${rtpPorts.from}-${rtpPorts.to}`,
  }
  return await withFullService({ engine: 'real', env }, async (service) => {
    await addExtensions(service, first, calls, true)
    await endpoints.ask('register', {
      port,
      domain: accountDomain,
      password: phonePassword,
      first,
      count: calls,
      concurrency: 16,
    })
    return await watch(service)
  })
}

async function watch(service: FullService): Promise<boolean> {
  const until = performance.now() + minutes * 60_000
  const results = createCallResults()
  const isOver = () => performance.now() >= until
  const before = await service.ask('figures')
  const talking = Promise.all(
    Array.from({ length: calls }, (_, index) =>
      keepCalling({ service, extension: `${first + index}`, results, isOver }),
    ),
  )
  const samples: Sample[] = []
  const began = performance.now()
  say(
    Object.values(columns)
      .map((title) => title.padStart(width))
      .join(''),
  )
  while (!isOver()) {
    await sleep(Math.min(sampleMs, Math.max(1, until - performance.now())))
    const figures = await service.ask('figures')
    samples.push({ seconds: (performance.now() - began) / 1000, figures })
    if (samples.length % samplesPerLine === 0) say(lineOf(figures))
  }
  await talking
  say(`calls by their end: ${JSON.stringify(results.counts())}`)
  await sleep(settleMs)
  const after = await service.ask('figures')
  say(`once all is over:\n${lineOf(after)}`)
  const failures = [...results.failures(), ...judge(samples), ...judgeLeftovers(before, after)]
  for (const failure of failures) say(`GROWS OR FAILS: ${failure}`)
  if (failures.length === 0) say('nothing grew')
  return failures.length === 0
}

function judge(samples: Sample[]): string[] {
  return judgeGrowth(samples, slacks)
    .filter(({ grows }) => grows)
    .map(
      ({ name, from, to, allowed }) =>
        `${name} from ${round(from)} to ${round(to)}, ${round(allowed)} allowed`,
    )
}

function judgeLeftovers(before: Sample['figures'], after: Sample['figures']): string[] {
  const left = leftovers
    .filter((name) => (after[name] ?? 0) > 0)
    .map((name) => `${name}: ${after[name]} left`)
  const ports = 'media_free_port_pairs'
  return before[ports] === after[ports] ? left : [...left, `${ports}: ${after[ports]} of ${before[ports]}`]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function lineOf(figures: Record<string, number>): string {
  return Object.keys(columns)
    .map((name) => `${round(figures[name] ?? 0)}`.padStart(width))
    .join('')
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
