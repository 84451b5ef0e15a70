/** `GET /users/me` against a bare node:http server that does the same look-up, on the same core. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startNode, stopChild } from './parts/children.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, type Outcome, writeRequest } from './parts/http-load/job.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api, createAccounts, withService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 3
const warmUpSeconds = 4
/** Enough that none reaches the limit of an account (D471). */
const accounts = 100

type Side = { port: number; pid: number }

export function me(): Promise<Result[]> {
  return withService('server core', (service) =>
    withGenerator('generator core', async (generator) => {
      const tokens = await createAccounts(service, accounts)
      const bare = await startBareServer(tokens)
      try {
        const ask = (side: Side, time: number) => askForMe(generator, side, tokens, time)
        await ask(bare, warmUpSeconds)
        await ask(service, warmUpSeconds)
        const askBare = () => ask(bare, seconds)
        const askService = () => ask(service, seconds)
        return report(await inTurn(rounds, askBare, askService))
      } finally {
        await bare.stop()
      }
    }),
  )
}

type Round = Outcome & { cpu: number }

async function askForMe(
  generator: Generator,
  { port, pid }: Side,
  tokens: readonly string[],
  time: number,
): Promise<Round> {
  const requests = tokens.map((token) => writeRequest({ path: `${api}/users/me`, token }))
  const job = { port, requests, connections: 32, perAddress: belowLimit, seconds: time }
  const before = cpuSeconds(pid)
  const outcome = await generator.run(job)
  expectOnly(200, outcome)
  return { ...outcome, cpu: cpuSeconds(pid) - before }
}

function report(pairs: { baseline: Round; ours: Round }[]): Result[] {
  const row = (name: string, figure: (round: Round) => number, unit: string, digits = 0) => {
    const words = (side: 'ours' | 'baseline') =>
      `${median(pairs.map((pair) => figure(pair[side]))).toFixed(digits)} ${unit}`
    const values = pairs.map(({ ours, baseline }) => figure(ours) / figure(baseline))
    return { name, measured: words('ours'), baseline: words('baseline'), values }
  }
  return [
    { ...row('me', (round) => round.answered / round.seconds, 'req/s'), target: { atLeast: 0.5 } },
    {
      ...row('me, CPU per request', (round) => (round.cpu / round.answered) * 1e6, 'us'),
      target: { atMost: 1.6 },
    },
    // Far below 100 for the baseline: something else slowed it, and the first ratio flatters us.
    row('me, core in use', (round) => (round.cpu / round.seconds) * 100, '%'),
    row('me, p50', (round) => round.p50, 'ms', 2),
    row('me, p99', (round) => round.p99, 'ms', 2),
  ]
}

async function startBareServer(tokens: readonly string[]) {
  const program = fileURLToPath(new URL('./parts/http-load/bare-server-process.ts', import.meta.url))
  const child = startNode({
    args: [program, ...tokens],
    place: 'server core',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  return { port, pid: child.pid ?? 0, stop: () => stopChild(child) }
}
