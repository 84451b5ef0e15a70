/** Events on their way: how many a second, how soon, and whether a backlog makes the others wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { memoryOf } from './parts/process-figures.ts'
import { inTurn, median } from './parts/rounds.ts'
import { inFolder } from './parts/service.ts'
import type { Result } from './parts/table.ts'
import {
  type House,
  openHouse,
  type Receiver,
  startBadReceivers,
  startReceiver,
} from './parts/webhooks/webhook-service.ts'

const rounds = 3
const perRound = 10_000
const together = 64
const steadySeconds = 10
const perSecond = 500
/** Of one run; BENCH_BACKLOG=1000000 for the whole of it. */
const backlog = Number(process.env.BENCH_BACKLOG ?? 100_000)
const backlogIntegrations = 2_000
const zooPerSecond = 100
const badOfEach = 2

export function webhooks(): Promise<Result[]> {
  return inFolder(async (folder) => {
    const receiver = await startReceiver('anywhere')
    const house = await openHouse(folder)
    try {
      return [
        ...(await measureRate(house, receiver)),
        ...(await measureDelay(house, receiver)),
        ...(await measureZoo(house, receiver)),
        // Last: it leaves more integrations behind than one user may make.
        ...(await measureBacklog(house, receiver)),
      ]
    } finally {
      await house.stop()
      await receiver.stop()
    }
  })
}

async function measureRate(house: House, receiver: Receiver): Promise<Result[]> {
  const integrations = await house.addIntegrations('rate', receiver.url, 20, 'channel-answer')
  let body = await house.fill(integrations, perRound)
  const bare = async () => perRound / (await secondsOf(() => postAll(receiver.url, body)))
  const ours = async () => {
    const { count } = await receiver.read()
    await house.release()
    const seconds = await secondsOf(async () => {
      while ((await receiver.read()).count < count + perRound) await sleep(5)
    })
    body = await house.fill(integrations, perRound)
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

async function measureDelay(house: House, receiver: Receiver): Promise<Result[]> {
  await house.addIntegrations('steady', receiver.url, 1, 'channel-hangup')
  const p99 = quantile(await tellSteadily(house, receiver, perSecond), 0.99)
  return [seconds('webhooks, p99 from commit to arrival', p99, { below: 0.1 }, perSecond)]
}

/** How long each took to come. */
async function tellSteadily(house: House, receiver: Receiver, rate: number): Promise<number[]> {
  await receiver.read()
  const began = performance.now()
  for (let announced = 0; announced < rate * steadySeconds; ) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate) - announced
    if (due > 0) await house.announce(due)
    else await sleep(1)
    announced += Math.max(0, due)
  }
  await sleep(1_000)
  return (await receiver.read()).latencies
}

/** The good receiver, sent the same as before, while bad ones are sent it too. */
async function measureZoo(house: House, receiver: Receiver): Promise<Result[]> {
  const measure = async () => {
    const values: number[] = []
    for (let round = 0; round < rounds; round++) {
      values.push(quantile(await tellSteadily(house, receiver, zooPerSecond), 0.99))
    }
    return values
  }
  const alone = await measure()
  const zoo = await startBadReceivers('anywhere')
  try {
    for (const [index, url] of zoo.urls.entries()) {
      await house.addIntegrations(`bad ${index}`, url, badOfEach, 'channel-hangup')
    }
    const beside = await measure()
    return [
      {
        name: 'webhooks, p99 beside bad receivers',
        measured: `${median(beside).toFixed(1)} ms (${zoo.urls.length * badOfEach} bad)`,
        baseline: `${median(alone).toFixed(1)} ms (none)`,
        values: beside.map((value) => value / median(alone)),
        target: { below: 2 },
      },
    ]
  } finally {
    await zoo.stop()
  }
}

/** While a backlog drains, waiter of a healthy receiver go by it. */
async function measureBacklog(house: House, receiver: Receiver): Promise<Result[]> {
  const integrations = await house.addIntegrations(
    'backlog',
    receiver.url,
    backlogIntegrations,
    'channel-answer',
  )
  await house.fill(integrations, backlog)
  const { count } = await receiver.read()
  await house.release()
  const began = performance.now()
  /** When it is well at work, and the most from there on: what a process takes to work at all is no growth. */
  let atWork: number | undefined
  let most = 0
  const latencies: number[] = []
  for (;;) {
    await house.announce(1)
    await sleep(100)
    const now = await receiver.read()
    latencies.push(...now.latencies)
    if (now.count - count >= backlog / 10) {
      const { rss } = memoryOf(house.pid)
      atWork ??= rss
      most = Math.max(most, rss)
    }
    if (now.count - count >= backlog + latencies.length) break
  }
  const grown = most - (atWork ?? 0)
  const rate = backlog / ((performance.now() - began) / 1000)
  return [
    seconds('webhooks, waiter behind a backlog, worst', Math.max(...latencies), { below: 1 }, backlog),
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
  await Promise.all(Array.from({ length: together }, work))
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
