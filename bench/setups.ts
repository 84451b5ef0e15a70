/**
 * Calls set up in a second, both legs, without RTP: our engine against Asterisk controlled over ARI, with the same SIP
 * endpoints. The result is the highest rate at which no call fails and 99 of 100 are set up within 200 ms.
 */

import type { SetUps } from './parts/pbx/call-load.ts'
import { hasAsterisk, withAsterisk, withEngine } from './parts/pbx/pbx.ts'
import { inTurn, median } from './parts/rounds.ts'
import { type SipEndpoints, withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'
import { alone, type Result } from './parts/table.ts'

const rounds = 3
const seconds = 4
const warmUp = { perSecond: 25, seconds: 4 }
const lowest = 25
const highest = 3_200
/** Bisection steps between the highest clean rate and the lowest that is not. */
const halvings = 3
const cleanP99 = 200

const usual = { perSecond: 100, seconds: 5, rounds: 5 }

type Attempt = (job: { perSecond: number; seconds: number }) => Promise<SetUps>
/** Runs the work with a newly started PBX, after a warm-up. */
type WithFresh = <T>(work: (attempt: Attempt) => Promise<T>) => Promise<T>

export function setups(): Promise<Result[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const ours = () => findHighest(freshEngine(endpoints))
    const usualP99 = await freshEngine(endpoints)(measureUsual)
    if (!hasAsterisk()) {
      const rates: number[] = []
      for (let round = 0; round < rounds; round++) rates.push(await ours())
      return [alone('setups, highest clean rate', rates, '/s'), usualP99]
    }
    const pairs = await inTurn(rounds, () => findHighest(freshAsterisk(endpoints)), ours)
    return [reportRates(pairs), usualP99]
  })
}

function freshEngine(endpoints: SipEndpoints): WithFresh {
  return (work) =>
    withEngine({ endpoints, records: false }, async ({ ask }) => {
      await ask('setUp', warmUp)
      return await work((job) => ask('setUp', job))
    })
}

function freshAsterisk(endpoints: SipEndpoints): WithFresh {
  return (work) =>
    withAsterisk({ endpoints, records: false }, async ({ ask }) => {
      await ask('setUp', warmUp)
      return await work((job) => ask('setUp', job))
    })
}

/** Doubles the rate until calls fail, then bisects. Each step of the bisection starts a new PBX, since the last may be overloaded. */
async function findHighest(withFresh: WithFresh): Promise<number> {
  const isClean = async (attempt: Attempt, perSecond: number) => {
    const { failed, p99 } = await attempt({ perSecond, seconds })
    return failed === 0 && p99 < cleanP99
  }
  let clean = 0
  let unclean = await withFresh(async (attempt) => {
    let rate = lowest
    while (rate <= highest && (await isClean(attempt, rate))) {
      clean = rate
      rate *= 2
    }
    return rate
  })
  if (clean === 0) throw new Error(`not even ${lowest} calls a second were set up cleanly`)
  for (let halving = 0; halving < halvings; halving++) {
    const rate = Math.round(Math.sqrt(clean * unclean))
    if (await withFresh((attempt) => isClean(attempt, rate))) clean = rate
    else unclean = rate
  }
  return clean
}

async function measureUsual(attempt: Attempt): Promise<Result> {
  const p99s: number[] = []
  for (let round = 0; round < usual.rounds; round++) {
    const { failed, p99 } = await attempt(usual)
    if (failed > 0) throw new Error(`${failed} calls failed at ${usual.perSecond} a second`)
    p99s.push(p99)
  }
  return alone(`setups, p99 at ${usual.perSecond}/s`, p99s, 'ms', { below: 50 })
}

function reportRates(pairs: { baseline: number; ours: number }[]): Result {
  return {
    name: 'setups, highest clean rate',
    measured: `${median(pairs.map(({ ours }) => ours))} /s`,
    baseline: `${median(pairs.map(({ baseline }) => baseline))} /s (Asterisk)`,
    values: pairs.map(({ ours, baseline }) => ours / baseline),
    target: { atLeast: 3 },
  }
}
