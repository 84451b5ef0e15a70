/** `upgrade`: the embedded database of an older major version of PostgreSQL, moved to the installed one (D264). */
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { upgradeCluster } from '../../store/embedded/upgrade.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { proveBooks } from './ledger.ts'

export const usage = `Usage: ${command} upgrade [--programs <folder>]

Moves the embedded database in DATA_DIR, made by another major version of PostgreSQL, to the installed one. The service
must be stopped. --programs is the folder with the old version's \`postgres\` (default /usr/lib/postgresql/<major>/bin).
The old database is kept beside the new one. If it is interrupted, run it again.`

export async function run(config: Config, args: string[]): Promise<number> {
  const { values } = readOptions({ args, options: { programs: { type: 'string' } } })
  if (config.databaseUrl) throw new UsageError('DATABASE_URL is set: only the embedded database is upgraded.')
  await upgradeCluster({
    dataDir: config.dataDir,
    programs: values.programs,
    log: say,
    async prove(connection) {
      const db = openDatabase(openPool(connection, { size: 2, onError: () => {} }))
      try {
        if ((await proveBooks(db)) !== 0) throw new Error('The old database stays as it is.')
      } finally {
        await db.destroy()
      }
    },
  })
  return 0
}
