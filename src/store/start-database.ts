/**
 * Starts the embedded PostgreSQL, unless the operator gives one. Few modules are needed for it: `serve` starts it first
 * and loads the service meanwhile.
 */
import type { Log } from '../kit/process/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'

export type StartingDatabase = Promise<EmbeddedPostgres | undefined>

type Options = { databaseUrl: string | undefined; dataDir: string }

export async function startDatabase({ databaseUrl, dataDir }: Options, log: Log): StartingDatabase {
  return databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) })
}
