/** Refusing a request over the rate limit must cost less than answering it. */
import { withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, writeRequest } from './parts/http-load/job.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { median } from './parts/rounds.ts'
import { api, createAccounts, withService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 3
const warmUpSeconds = 4
const limit = 60
/** Beyond it refusals come late (D475). */
const refusedAtOnce = 3 * limit
/** Enough that none reaches the limit of an account (D471). */
const accounts = 60

export function limited(): Promise<Result[]> {
  return withService('server core', (service) =>
    withGenerator('generator core', async (generator) => {
      const { port, pid } = service
      const tokens = await createAccounts(service, accounts)
      const requests = tokens.map((token) => writeRequest({ path: `${api}/users/me`, token }))

      /** CPU microseconds of the service per request, and the share of requests that it refused. */
      async function costOf(perAddress: number, time = seconds) {
        const before = cpuSeconds(pid)
        const outcome = await generator.run({ port, requests, connections: 32, perAddress, seconds: time })
        const { 200: allowed = 0, 429: refused = 0, ...others } = outcome.statuses
        if (Object.keys(others).length > 0) throw new Error(`unexpected: ${JSON.stringify(outcome.statuses)}`)
        const cost = ((cpuSeconds(pid) - before) / outcome.answered) * 1e6
        return { cost, refusedShare: refused / (allowed + refused) }
      }

      const answer = async () => {
        const { cost, refusedShare } = await costOf(belowLimit)
        if (refusedShare > 0) throw new Error('requests below the limit were refused')
        return cost
      }
      const pairs: Pair[] = []
      await costOf(belowLimit, warmUpSeconds)
      await costOf(refusedAtOnce, warmUpSeconds)
      for (let round = 0; round < rounds; round += 1) {
        const answered = await answer()
        const { cost, refusedShare } = await costOf(refusedAtOnce)
        // The others of the mixture were answered.
        pairs.push({ baseline: answered, ours: (cost - (1 - refusedShare) * answered) / refusedShare })
      }
      return report(pairs)
    }),
  )
}

type Pair = { baseline: number; ours: number }

function report(pairs: Pair[]): Result[] {
  return [
    {
      name: 'limited, CPU per request',
      measured: `${median(pairs.map(({ ours }) => ours)).toFixed(0)} us (429)`,
      baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(0)} us (200)`,
      values: pairs.map(({ ours, baseline }) => ours / baseline),
      target: { below: 1 },
    },
  ]
}
