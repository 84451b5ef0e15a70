/** An account of ten thousand calls and one of BENCH_CALLS, in one database; BENCH_OTHER_CALLS are in it besides. */
import { inKeptFolder } from './kept-folder.ts'
import { seedCalls } from './seed-calls.ts'
import { createAccount } from './service.ts'

export type SizedAccount = {
  name: string
  calls: number
  token: string
  /** The start of its last call, ISO 8601. */
  newest: string
}

export const sizes = {
  small: 10_000,
  large: Number(process.env.BENCH_CALLS ?? 10_000_000),
}

/** Accounts that are not searched, so that their metadata is not indexed. */
export const otherCalls = Number(process.env.BENCH_OTHER_CALLS ?? 0)
const callsOfOther = 10_000_000

/** Without BENCH_FOLDER, which keeps them, the large account has `withoutFolder` calls. */
export function withSizedAccounts<T>(
  work: (folder: string, accounts: SizedAccount[]) => Promise<T>,
  withoutFolder = sizes.large,
): Promise<T> {
  const large = process.env.BENCH_FOLDER === undefined ? withoutFolder : sizes.large
  return inKeptFolder({ name: 'lists', fill: (folder) => insertAccounts(folder, { ...sizes, large }), work })
}

async function insertAccounts(folder: string, wanted: typeof sizes): Promise<SizedAccount[]> {
  const newest = new Date(Date.now() - 3_600_000).toISOString()
  const accounts: SizedAccount[] = []
  for (const [name, calls] of Object.entries(wanted)) {
    const { token } = await createAccount({ folder }, name)
    accounts.push({ name, calls, token, newest })
  }
  const searched = accounts.map(({ name, calls }) => ({
    domain: domainOf(name),
    calls,
    newest: new Date(newest),
  }))
  await seedCalls(folder, [...searched, ...(await createOthers(folder))])
  return accounts
}

async function createOthers(folder: string) {
  const others = []
  for (let left = otherCalls; left > 0; left -= callsOfOther) {
    const name: string = `other-${others.length + 1}`
    await createAccount({ folder }, name)
    others.push({ domain: domainOf(name), calls: Math.min(left, callsOfOther), indexValues: false })
  }
  return others
}

const domainOf = (name: string) => `${name}.ramal.localhost`
