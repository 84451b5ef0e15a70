/** Brings the database to its newest shape and stops. */
import type { Config } from '../config.ts'
import { createLog } from '../kit/log.ts'
import { openStore } from '../store/open-store.ts'
import { say } from './say.ts'

export async function run(config: Config): Promise<number> {
  const store = await openStore(config, createLog('silent'))
  await store.close()
  for (const name of store.migrated) say(`applied ${name}`)
  if (store.migrated.length === 0) say('The database is up to date.')
  return 0
}
