/**
 * Recorded calls with RTP in both directions: CPU per call of our engine and of Asterisk; packets late and lost with
 * 200 calls at once; and the latency of the API during these calls.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freeNeighbours } from '../test/sip/peers/ports.ts'
import {
  accountDomain,
  addExtensions,
  type FullService,
  phonePassword,
  placeCalls,
  withFullService,
} from './parts/full-service/full-service.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { writeRequest } from './parts/http-load/job.ts'
import { type Engine, hasAsterisk, withAsterisk, withEngine } from './parts/pbx/pbx.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api } from './parts/service.ts'
import { type SipEndpoints, trunkTo, withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'
import { alone, type Result } from './parts/table.ts'

const rounds = 3
const seconds = 15
const compared = 50
const many = 200
const first = 1010

export function recorded(): Promise<Result[]> {
  return withSipEndpoints('with RTP', async (endpoints) => [
    ...(await compareCost(endpoints)),
    ...(await carryMany(endpoints)),
  ])
}

/** CPU per call, in percent of one core. For Asterisk without the process that controls it. */
function compareCost(endpoints: SipEndpoints): Promise<Result[]> {
  return withEngine({ endpoints, records: true }, async (engine) => {
    const ours = () => costOf(endpoints, engine)
    if (!hasAsterisk()) {
      const costs: number[] = []
      for (let round = 0; round < rounds; round++) costs.push(await ours())
      return [alone('recorded, CPU per call', costs, '%')]
    }
    const pairs = await withAsterisk({ endpoints, records: true }, ({ ask, pid }) => {
      const asterisk: Held = {
        pid,
        hold: () => ask('hold', { count: compared }),
        release: () => ask('release'),
      }
      return inTurn(rounds, () => costOfHeld(endpoints, asterisk), ours)
    })
    return [
      {
        name: 'recorded, CPU per call',
        measured: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} %`,
        baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} % (Asterisk)`,
        values: pairs.map(({ ours, baseline }) => ours / baseline),
        target: { atMost: 0.5 },
      },
    ]
  })
}

type Held = { pid: number; hold(): Promise<void>; release(): Promise<void> }

async function costOf(endpoints: SipEndpoints, { ask, pid }: Engine): Promise<number> {
  const hold = () => ask('hold', { count: compared })
  const cost = await costOfHeld(endpoints, { pid, hold, release: () => ask('release') })
  const whole = (await ask('recordings')).filter((recording) => recording.seconds >= seconds)
  if (whole.length !== compared) throw new Error(`only ${whole.length} of ${compared} calls were recorded`)
  return cost
}

async function costOfHeld(endpoints: SipEndpoints, { pid, hold, release }: Held): Promise<number> {
  await hold()
  await endpoints.ask('rtpCounts')
  const before = cpuSeconds(pid)
  await sleep(seconds * 1000)
  const used = cpuSeconds(pid) - before
  const { sent, received } = await endpoints.ask('rtpCounts')
  await release()
  if (received < sent * 0.9) throw new Error(`of ${sent} packets only ${received} came through`)
  return (used / seconds / compared) * 100
}

/** The whole service, with API requests during all of the calls. */
async function carryMany(endpoints: SipEndpoints): Promise<Result[]> {
  const port = await freeNeighbours(2)
  const env = { SIP_PORT: `${port}`, TRUNKS: trunkTo(endpoints), RTP_PORTS: '20000-21999' }
  return await withFullService({ engine: 'real', env }, (service) =>
    withGenerator('anywhere', async (generator) => {
      await addExtensions(service, first, many, true)
      await endpoints.ask('register', {
        port,
        domain: accountDomain,
        password: phonePassword,
        first,
        count: many,
        concurrency: 16,
      })
      await askForMe(generator, service)
      return reportMany(
        await inTurn(
          rounds,
          async () => ({ ...(await askForMe(generator, service)), sent: 0, sentLate: 0, lost: 0, late: 0 }),
          () => askDuringCalls(generator, service, endpoints),
        ),
      )
    }),
  )
}

async function askForMe(generator: Generator, { port, token }: FullService) {
  const requests = [writeRequest({ path: `${api}/users/me`, token })]
  const job = { port, requests, connections: 64, seconds, perAddress: 'one' as const, perSecond: 200 }
  const outcome = await generator.run(job)
  expectOnly(200, outcome)
  return outcome
}

async function askDuringCalls(generator: Generator, service: FullService, endpoints: SipEndpoints) {
  await placeCalls(service, first, many)
  await endpoints.ask('rtpCounts')
  const outcome = await askForMe(generator, service)
  const { sent, sentLate, known, late, streams } = await endpoints.ask('rtpCounts')
  await service.ask('endAll')
  if (streams !== 2 * many) throw new Error(`${streams} streams, where ${2 * many} should be`)
  // Up to one packet of each stream is in flight, and not lost.
  return { ...outcome, sent, sentLate, lost: Math.max(0, sent - known - streams), late }
}

type Round = Awaited<ReturnType<typeof askDuringCalls>>

function reportMany(pairs: { baseline: Pick<Round, 'p99'>; ours: Round }[]): Result[] {
  const share = (name: 'late' | 'lost' | 'sentLate') =>
    pairs.map(({ ours }) => (ours[name] / ours.sent) * 100)
  return [
    alone(`recorded, ${many} at once, packets late`, share('late'), '%', { below: 0.5 }),
    alone(`recorded, ${many} at once, packets lost`, share('lost'), '%', { below: 0.5 }),
    // A high share here means that the endpoints cause the lateness.
    alone(`recorded, ${many} at once, sent late by the endpoints`, share('sentLate'), '%'),
    {
      name: `recorded, p99 of me with ${many} at once`,
      measured: `${median(pairs.map(({ ours }) => ours.p99)).toFixed(2)} ms`,
      baseline: `${median(pairs.map(({ baseline }) => baseline.p99)).toFixed(2)} ms (quiet)`,
      values: pairs.map(({ ours, baseline }) => ours.p99 / baseline.p99),
      target: { atMost: 2 },
    },
  ]
}
