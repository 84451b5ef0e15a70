/** Refusing a request over the rate limit must cost less than answering it. */
import { expectOnly, withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, writeRequest } from './parts/http-load/job.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api, createAccount, withService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 3
const warmUpSeconds = 4
const limit = 60

export function limited(): Promise<Result[]> {
  return withService('server core', (service) =>
    withGenerator('generator core', async (generator) => {
      const { port, pid } = service
      const { token } = await createAccount(service, 'padaria')
      const requests = [writeRequest({ path: `${api}/users/me`, token })]

      /** CPU microseconds of the service per request. */
      async function costOf(status: 200 | 429, time = seconds): Promise<number> {
        const perAddress = status === 200 ? belowLimit : 'one'
        // Refusals far beyond a limit come late (D475): many at once keep the service busy.
        const connections = status === 200 ? 32 : 1_000
        const before = cpuSeconds(pid)
        const outcome = await generator.run({ port, requests, connections, perAddress, seconds: time })
        const { 200: allowed = 0, ...others } = outcome.statuses
        // The window of the one address may have ended since the last round.
        if (status === 429 && allowed <= limit) expectOnly(429, { ...outcome, statuses: others })
        else expectOnly(status, outcome)
        return ((cpuSeconds(pid) - before) / outcome.answered) * 1e6
      }

      await costOf(200, warmUpSeconds)
      await costOf(429, warmUpSeconds)
      const answer = () => costOf(200)
      const refuse = () => costOf(429)
      return report(await inTurn(rounds, answer, refuse))
    }),
  )
}

function report(pairs: { baseline: number; ours: number }[]): Result[] {
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
