/** Finding one user in a large account must cost little more than in a small one. */
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { emailOf, seedUsers } from './parts/seed-users.ts'
import { api, createAccount, type Service, withService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 1
const small = { name: 'small', users: 1_000 }
const large = { name: 'large', users: 100_000 }
/** Different searches, so that the database does not always read the same pages. */
const searches = 200

type Size = typeof small
type Account = Size & { token: string }

/** Each finds exactly one user, by the address or by a part of it that no other has. */
const conditions = {
  eq: (email: string) => ({ email }),
  like: (email: string) => ({ email: { like: partOf(email) } }),
  ilike: (email: string) => ({ email: { ilike: partOf(email).toUpperCase() } }),
}
type Kind = keyof typeof conditions

/** `077123@` of `user077123@large.example` */
const partOf = (email: string) => email.slice(4, 11)

export function userFilter(): Promise<Result[]> {
  return withService('anywhere', (service) =>
    withGenerator('anywhere', async (generator) => {
      const open = async (size: Size): Promise<Account> => {
        const { token, email } = await createAccount(service, size.name)
        await seedUsers(service, size.name, email, size.users)
        return { ...size, token }
      }
      const [few, many] = [await open(small), await open(large)]

      const results: Result[] = []
      for (const kind of Object.keys(conditions) as Kind[]) {
        for (const account of [few, many]) await expectOne(service, account, kind)
        const inFew = () => costOf(generator, service, few, kind)
        const inMany = () => costOf(generator, service, many, kind)
        await inTurn(1, inFew, inMany)
        results.push(resultOf(kind, await inTurn(rounds, inFew, inMany)))
      }
      return results
    }),
  )
}

/** Milliseconds from a request to its answer, on average. */
async function costOf(generator: Generator, { port }: Service, account: Account, kind: Kind) {
  const requests = pathsOf(account, kind).map((path) => writeRequest({ path, token: account.token }))
  const job = { port, requests, connections: 2, perAddress: belowLimit, seconds }
  const outcome = await generator.run(job)
  expectOnly(200, outcome)
  return (outcome.seconds / outcome.answered) * job.connections * 1000
}

function resultOf(kind: Kind, pairs: { baseline: number; ours: number }[]): Result {
  return {
    name: `user-filter, ${kind}`,
    measured: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} ms (${large.users} users)`,
    baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} ms (${small.users})`,
    values: pairs.map(({ ours, baseline }) => ours / baseline),
    target: { atMost: 2 },
  }
}

function pathsOf({ name, users }: Account, kind: Kind): string[] {
  return Array.from({ length: searches }, (_, index) => {
    const number = 1 + Math.floor(((index + 0.5) * users) / searches)
    const where = conditions[kind](emailOf(name, number))
    return `${api}/users?filter=${encodeURIComponent(JSON.stringify({ where }))}`
  })
}

async function expectOne({ url }: Service, account: Account, kind: Kind) {
  const [path = ''] = pathsOf(account, kind)
  const response = await fetch(`${url}${path}`, { headers: { authorization: account.token } })
  const body = await response.text()
  if (response.status === 200 && JSON.parse(body).length === 1) return
  throw new Error(`${kind} in the ${account.name} account answered ${response.status} ${body.slice(0, 300)}`)
}
