/** `restore`: reads a backup into an empty database, puts recordings and key back, and proves the books (D263). */
import { cp, mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { readBackup } from '../../store/backup/backup-file.ts'
import { verifyChecksums } from '../../store/backup/checksums.ts'
import { connectionTo } from '../../store/database.ts'
import { startEmbeddedPostgres } from '../../store/embedded/embedded-postgres.ts'
import { openStore } from '../../store/open-store.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { databaseFile, keyFiles } from './backup.ts'
import { proveBooks } from './ledger.ts'

export const usage = `Usage: ${command} restore <folder>

Reads what \`backup\` wrote into the database of DATA_DIR or DATABASE_URL, which must be empty and not in use, puts back
recordings and secret key if the backup has them, and proves that the books add up.`

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals } = readOptions({ args, options: {}, allowPositionals: true })
  const [folder] = positionals
  if (positionals.length !== 1 || !folder) throw new UsageError('Say the folder of the backup.')
  const backup = resolve(folder)
  const file = join(backup, databaseFile)
  if (!(await exists(file))) throw new UsageError(`${file} is missing: ${backup} is no backup.`)
  if (!(await verifyChecksums(backup))) say('The backup has no checksums: an earlier version made it.')
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => {} })
  try {
    const connection = embedded?.connection ?? connectionTo(config.databaseUrl ?? '')
    say(`${await readBackup(connection, file)} rows were read in.`)
  } finally {
    await embedded?.stop()
  }
  await putBack(config, backup)
  const store = await openStore(config, createLog('error'))
  try {
    return await proveBooks(store.db)
  } finally {
    await store.close()
  }
}

async function putBack({ dataDir, recordings }: Config, backup: string) {
  for (const name of keyFiles) {
    if (!(await exists(join(backup, name)))) continue
    await mkdir(dataDir, { recursive: true })
    // A key that is there is not replaced: something may be sealed with it.
    await cp(join(backup, name), join(dataDir, name), { errorOnExist: true, force: false })
  }
  const kept = join(backup, 'recordings')
  if ('bucket' in recordings || !(await exists(kept))) return
  await cp(kept, recordings.folder, { recursive: true, force: false })
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
