/** Brings the database to its newest shape and stops. */
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { openStore } from '../../store/open-store.ts'
import { say } from '../say.ts'
import { refuseOptions } from '../usage.ts'

export const usage = `Usage: ${command} migrate

Brings the database to its newest shape and names what was applied. \`serve\` does the same when it starts.`

export async function run(config: Config, args: string[]): Promise<number> {
  refuseOptions(args)
  const store = await openStore(config, createLog('silent'))
  await store.close()
  for (const name of store.migrated) say(`applied ${name}`)
  if (store.migrated.length === 0) say('The database is up to date.')
  return 0
}
