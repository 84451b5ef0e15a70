/** Many logins at once must not delay other requests. */
import { expectOnly, withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, type Job, writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { emailOf, seedUsers } from './parts/seed-users.ts'
import { api, createAccount, password, withService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 5
const warmUpSeconds = 3
const concurrentLogins = 40

export function logins(): Promise<Result[]> {
  // Not pinned: verifying passwords is meant to use a core the event loop does not need.
  return withService('anywhere', (service) =>
    withGenerator('anywhere', async (generator) => {
      const { token, email } = await createAccount(service, 'padaria')
      await seedUsers(service, 'padaria', email, concurrentLogins)
      const asking = askForMe(service.port, token)
      const loggingIn = logInAll(service.port)

      async function quiet() {
        const outcome = await generator.run(asking)
        expectOnly(200, outcome)
        return { ...outcome, entered: 0 }
      }
      async function duringLogins() {
        const [outcome, entered] = await Promise.all([generator.run(asking), generator.run(loggingIn)])
        expectOnly(200, outcome)
        expectOnly(200, entered)
        return { ...outcome, entered: entered.answered / entered.seconds }
      }

      await generator.run({ ...asking, seconds: warmUpSeconds })
      await generator.run({ ...loggingIn, seconds: warmUpSeconds })
      return report(await inTurn(rounds, quiet, duringLogins))
    }),
  )
}

function askForMe(port: number, token: string): Job {
  const requests = [writeRequest({ path: `${api}/users/me`, token })]
  return { port, requests, connections: 64, seconds, perAddress: belowLimit, perSecond: 200 }
}

/** Logins of other users than the one that is measured: a login drops its user from the cache of the service. */
function logInAll(port: number): Job {
  const requests = Array.from({ length: concurrentLogins }, (_, index) => {
    const body = { email: emailOf('padaria', index + 1), password }
    return writeRequest({ method: 'POST', path: `${api}/users/login`, body })
  })
  // Logins are limited to 10 a minute.
  return { port, requests, connections: concurrentLogins, seconds, perAddress: 5 }
}

type Round = { p50: number; p99: number; entered: number }

function report(pairs: { baseline: Round; ours: Round }[]): Result[] {
  const row = (figure: 'p50' | 'p99') => ({
    name: `logins, ${figure} of me with ${concurrentLogins} at once`,
    measured: `${median(pairs.map(({ ours }) => ours[figure])).toFixed(2)} ms`,
    baseline: `${median(pairs.map(({ baseline }) => baseline[figure])).toFixed(2)} ms (quiet)`,
    values: pairs.map(({ ours, baseline }) => ours[figure] / baseline[figure]),
  })
  const entered = median(pairs.map(({ ours }) => ours.entered)).toFixed(0)
  const p99 = row('p99')
  return [{ ...p99, measured: `${p99.measured} (${entered} logins/s)`, target: { below: 5 } }, row('p50')]
}
