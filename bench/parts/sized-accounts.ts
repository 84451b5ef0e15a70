/** An account of ten thousand calls and one of BENCH_CALLS, in one database. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seedCalls } from './seed-calls.ts'
import { createAccount, inFolder } from './service.ts'

export type SizedAccount = {
  name: string
  calls: number
  token: string
  /** The start of its last call. */
  newest: Date
}

export const sizes = {
  small: 10_000,
  large: Number(process.env.BENCH_CALLS ?? 10_000_000),
}

/** Inserting ten million calls takes a quarter of an hour: those in BENCH_FOLDER are kept for the next run. */
export async function withSizedAccounts<T>(
  work: (folder: string, accounts: SizedAccount[]) => Promise<T>,
): Promise<T> {
  const kept = process.env.BENCH_FOLDER
  if (kept === undefined) return await inFolder(async (folder) => work(folder, await insertAccounts(folder)))
  mkdirSync(kept, { recursive: true })
  const record = join(kept, 'accounts.json')
  if (!existsSync(record)) writeFileSync(record, JSON.stringify(await insertAccounts(kept)))
  const accounts = JSON.parse(readFileSync(record, 'utf8')) as (SizedAccount & { newest: string })[]
  return await work(
    kept,
    accounts.map((account) => ({ ...account, newest: new Date(account.newest) })),
  )
}

async function insertAccounts(folder: string): Promise<SizedAccount[]> {
  const newest = new Date(Date.now() - 3_600_000)
  const accounts: SizedAccount[] = []
  for (const [name, calls] of Object.entries(sizes)) {
    const { token } = await createAccount({ folder }, name)
    accounts.push({ name, calls, token, newest })
  }
  await seedCalls(
    folder,
    accounts.map(({ name, calls }) => ({ domain: `${name}.ramal.localhost`, calls, newest })),
  )
  return accounts
}
