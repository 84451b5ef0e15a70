/** Webhook deliveries: rate, delay, and whether bad receivers or a backlog delay other webhooks. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { memoryOf } from './parts/process-figures.ts'
import { inTurn, median } from './parts/rounds.ts'
import { inFolder } from './parts/service.ts'
import type { Result } from './parts/table.ts'
import {
  type Receiver,
  startBadReceivers,
  startReceiver,
  startWebhookService,
  type WebhookService,
} from './parts/webhooks/webhook-service.ts'

const rounds = 3
const perRound = 10_000
const concurrency = 64
const steadySeconds = 10
const perSecond = 500
/** Deliveries in the backlog; the full benchmark is BENCH_BACKLOG=1000000. */
const backlog = Number(process.env.BENCH_BACKLOG ?? 100_000)
const backlogIntegrations = 2_000
const perSecondBesideBad = 100
const badOfEach = 2

export function webhooks(): Promise<Result[]> {
  return inFolder(async (folder) => {
    const receiver = await startReceiver('anywhere')
    const service = await startWebhookService(folder)
    try {
      return [
        ...(await measureRate(service, receiver)),
        ...(await measureDelay(service, receiver)),
        ...(await measureBesideBadReceivers(service, receiver)),
        // Last: it leaves more integrations behind than the limit of one user.
        ...(await measureBacklog(service, receiver)),
      ]
    } finally {
      await service.stop()
      await receiver.stop()
    }
  })
}

async function measureRate(service: WebhookService, receiver: Receiver): Promise<Result[]> {
  const integrations = await service.addIntegrations('rate', receiver.url, 20, 'channel-answer')
  let body = await service.fill(integrations, perRound)
  const bare = async () => perRound / (await secondsOf(() => postAll(receiver.url, body)))
  const ours = async () => {
    const { count } = await receiver.read()
    await service.release()
    const seconds = await secondsOf(async () => {
      while ((await receiver.read()).count < count + perRound) await sleep(5)
    })
    body = await service.fill(integrations, perRound)
    return perRound / seconds
  }
  await inTurn(1, bare, ours)
  const pairs = await inTurn(rounds, bare, ours)
  const rates = pairs.map((pair) => pair.ours)
  return [
    {
      name: 'webhooks, signed deliveries',
      measured: `${median(rates).toFixed(0)}/s`,
      baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(0)}/s (bare undici)`,
      values: pairs.map((pair) => pair.ours / pair.baseline),
      target: { atLeast: 0.5 },
    },
    {
      name: 'webhooks, thousands a second',
      measured: '',
      baseline: '',
      values: rates.map((rate) => rate / 1000),
      target: { atLeast: 2 },
    },
  ]
}

async function measureDelay(service: WebhookService, receiver: Receiver): Promise<Result[]> {
  await service.addIntegrations('steady', receiver.url, 1, 'channel-hangup')
  const p99 = quantile(await announceSteadily(service, receiver, perSecond), 0.99)
  return [seconds('webhooks, p99 from commit to arrival', p99, { below: 0.1 }, perSecond)]
}

/** Milliseconds from commit to arrival, for each event. */
async function announceSteadily(
  service: WebhookService,
  receiver: Receiver,
  rate: number,
): Promise<number[]> {
  await receiver.read()
  const began = performance.now()
  for (let announced = 0; announced < rate * steadySeconds; ) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate) - announced
    if (due > 0) await service.announce(due)
    else await sleep(1)
    announced += Math.max(0, due)
  }
  await sleep(1_000)
  return (await receiver.read()).latencies
}

/** The delay of a good receiver, alone and beside bad receivers of the same events. */
async function measureBesideBadReceivers(service: WebhookService, receiver: Receiver): Promise<Result[]> {
  const measure = async () => {
    const values: number[] = []
    for (let round = 0; round < rounds; round++) {
      values.push(quantile(await announceSteadily(service, receiver, perSecondBesideBad), 0.99))
    }
    return values
  }
  const alone = await measure()
  const badReceivers = await startBadReceivers('anywhere')
  try {
    for (const [index, url] of badReceivers.urls.entries()) {
      await service.addIntegrations(`bad ${index}`, url, badOfEach, 'channel-hangup')
    }
    const beside = await measure()
    return [
      {
        name: 'webhooks, p99 beside bad receivers',
        measured: `${median(beside).toFixed(1)} ms (${badReceivers.urls.length * badOfEach} bad)`,
        baseline: `${median(alone).toFixed(1)} ms (none)`,
        values: beside.map((value) => value / median(alone)),
        target: { below: 2 },
      },
    ]
  } finally {
    await badReceivers.stop()
  }
}

/** While a backlog drains, new events for a healthy receiver must overtake it. */
async function measureBacklog(service: WebhookService, receiver: Receiver): Promise<Result[]> {
  const integrations = await service.addIntegrations(
    'backlog',
    receiver.url,
    backlogIntegrations,
    'channel-answer',
  )
  await service.fill(integrations, backlog)
  const { count } = await receiver.read()
  await service.release()
  const began = performance.now()
  /** RSS once a tenth of the backlog is delivered, and the peak from then on: memory taken by warming up is no growth. */
  let steadyRss: number | undefined
  let peak = 0
  const latencies: number[] = []
  for (;;) {
    await service.announce(1)
    await sleep(100)
    const now = await receiver.read()
    latencies.push(...now.latencies)
    if (now.count - count >= backlog / 10) {
      const { rss } = memoryOf(service.pid)
      steadyRss ??= rss
      peak = Math.max(peak, rss)
    }
    if (now.count - count >= backlog + latencies.length) break
  }
  const grown = peak - (steadyRss ?? 0)
  const rate = backlog / ((performance.now() - began) / 1000)
  return [
    seconds('webhooks, new event behind a backlog, worst', Math.max(...latencies), { below: 1 }, backlog),
    {
      name: 'webhooks, memory grown while it drains',
      measured: `${grown.toFixed(0)} MB (${rate.toFixed(0)}/s)`,
      baseline: '',
      values: [grown],
      unit: 'MB',
      target: { below: 100 },
    },
  ]
}

async function postAll(url: string, body: string) {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin)
  let left = perRound
  const work = async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  await pool.close()
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

function seconds(name: string, ms: number, target: { below: number }, load: number): Result {
  const measured = `${ms.toFixed(1)} ms (${load})`
  return { name, measured, baseline: '', values: [ms / 1000], unit: 's', target }
}
