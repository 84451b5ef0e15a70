/**
 * Calls from their placing to their end, with the fake engine: the call, its transitions, its price and ledger entry, two
 * events and a delivery of each are stored. The webhook's constraint does not match, so that nothing is sent. Against
 * the same rows written by hand.
 */
import { type FullService, withFullService } from './parts/full-service/full-service.ts'
import { addPhones, placeFromEach } from './parts/full-service/phones.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import type { Job } from './parts/http-load/job.ts'
import { median } from './parts/rounds.ts'
import { api } from './parts/service.ts'
import { alone, type Result } from './parts/table.ts'
import { type ByHand, withByHand } from './parts/whole-calls/by-hand.ts'
import { type Costs, costsOf } from './parts/whole-calls/costs.ts'

const rounds = 5
const seconds = 4
const phones = { first: 1010, count: 50 }
const sustained = 1_000

export function wholeCalls(): Promise<Result[]> {
  return withFullService({ engine: 'fake', env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }, (service) =>
    withGenerator('anywhere', async (generator) => {
      await prepareAccount(service)
      await service.ask('behave', 'priced call')
      await placeFor(generator, service, { ...placeCalls(service), seconds: 1 })
      return await withByHand(service.folder, (byHand) => measure(generator, service, byHand))
    }),
  )
}

async function measure(generator: Generator, service: FullService, byHand: ByHand): Promise<Result[]> {
  const job = placeCalls(service)
  const round = () =>
    costsOf(
      service,
      () => placeFor(generator, service, job),
      ({ calls }) => calls,
    )
  await round()
  // Before rows are written by hand: the database would vacuum and write those during these rounds.
  const p99s: number[] = []
  for (let count = 0; count < rounds; count++) {
    p99s.push((await placeFor(generator, service, { ...job, perSecond: sustained })).p99)
  }
  await byHand(1)
  const atOnce = await compare(byHand, round)
  await service.ask('behave', 'priced call, events apart')
  const apart = await compare(byHand, round)
  return [
    ...rows('whole calls', atOnce, { atLeast: 0.5 }),
    alone(`whole calls, p99 of placing at ${sustained}/s`, p99s, 'ms', { below: 50 }),
    ...rows('whole calls, events apart', apart),
  ]
}

type Round = { result: { calls: number; rate: number }; costs: Costs }

async function compare(byHand: ByHand, round: () => Promise<Round>) {
  const pairs: { baseline: number; ours: Round }[] = []
  for (let count = 0; count < rounds; count++) {
    pairs.push({ baseline: await byHand(seconds), ours: await round() })
  }
  return pairs
}

/** All calls have ended, and their ends are stored. */
async function placeFor(generator: Generator, service: FullService, job: Job) {
  const began = performance.now()
  const outcome = await generator.run(job)
  expectOnly(200, outcome)
  await service.ask('allEnded')
  const rate = outcome.answered / ((performance.now() - began) / 1000)
  return { calls: outcome.answered, rate, p99: outcome.p99 }
}

function rows(
  name: string,
  pairs: { baseline: number; ours: Round }[],
  target?: { atLeast: number },
): Result[] {
  return [
    {
      name,
      measured: `${median(pairs.map(({ ours }) => ours.result.rate)).toFixed(0)} calls/s`,
      baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(0)} calls/s (rows by hand)`,
      values: pairs.map(({ ours, baseline }) => ours.result.rate / baseline),
      better: 'more',
      ...(target && { target }),
    },
    ...costRows(name, pairs),
  ]
}

function costRows(name: string, pairs: { ours: Round }[]): Result[] {
  const costs = pairs.map(({ ours }) => ours.costs)
  const results = [
    alone(
      `${name}, statements a call`,
      costs.map(({ statements }) => statements),
      '',
    ),
    alone(
      `${name}, WAL a call`,
      costs.map(({ walBytes }) => walBytes / 1000),
      'kB',
    ),
    alone(
      `${name}, CPU of the service a call`,
      costs.map(({ serviceCpu }) => serviceCpu * 1000),
      'ms',
    ),
    alone(
      `${name}, CPU of PostgreSQL a call`,
      costs.map(({ databaseCpu }) => databaseCpu * 1000),
      'ms',
    ),
  ]
  return results.map((result) => ({ ...result, better: 'less' }))
}

async function prepareAccount(service: FullService) {
  await addPhones(service, phones)
  const response = await fetch(`${service.url}${api}/integrations`, {
    method: 'PATCH',
    headers: { authorization: service.token, 'content-type': 'application/json' },
    body: JSON.stringify({
      gateway: 'crm',
      webhook: true,
      webhookConstraint: { campaign: 'autumn' },
      metadata: { webhookUrl: 'http://127.0.0.1:9/', webhookTypes: ['channel-answer', 'channel-hangup'] },
    }),
  })
  if (response.status !== 200) throw new Error(`the integration was answered ${response.status}`)
}

function placeCalls({ port, token }: FullService): Job {
  const requests = placeFromEach(phones, token)
  return { port, requests, connections: 64, seconds, perAddress: 'one' }
}
