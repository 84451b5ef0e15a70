/** `backup`: the database, and if wanted the recordings and the secret key, in a new folder (D262). */
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { writeBackup } from '../../store/backup/backup-file.ts'
import { writeChecksums } from '../../store/backup/checksums.ts'
import { openStore } from '../../store/open-store.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { fileProblem } from './file-problem.ts'

export const usage = `Usage: ${command} backup <folder> [--recordings] [--key]

Writes everything in the database into a new folder, as it was at one moment, while the service runs. --recordings adds
the recordings of this machine, --key the secret key of the data folder, without which passwords of extensions and
secrets of webhooks cannot be read: keep it apart from the rest. \`restore\` reads it back.`

const options = { recordings: { type: 'boolean' }, key: { type: 'boolean' } } as const

export const databaseFile = 'database.jsonl.gz'
export const keyFiles = ['secret.key', 'secret.key.next']

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = readOptions({ args, options, allowPositionals: true })
  const [folder] = positionals
  if (positionals.length !== 1 || !folder) throw new UsageError('Say the name of a new folder.')
  const target = resolve(folder)
  const draft = `${target}.part`
  if (await isThere(target)) throw new Error(`${target} exists already: name a folder that does not.`)
  await rm(draft, { recursive: true, force: true })
  await makeFolder(draft).catch((error: unknown) => {
    throw fileProblem(error, target, 'made')
  })
  try {
    const store = await openStore(config, createLog('error'))
    try {
      await writeBackup(store.connection, join(draft, databaseFile), new Date())
    } finally {
      await store.close()
    }
    // After the database: every recording that it calls stored is there by now.
    if (values.recordings) await copyRecordings(config, draft)
    if (values.key) await copyKeys(config, draft)
    await writeChecksums(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  say(`${target} is complete.`)
  return 0
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}

/** With its parents. Node's own way of it never ends where a parent exists but takes no folders, as /proc does. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isParentMissing || (await isThere(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}

async function copyRecordings({ recordings }: Config, draft: string) {
  if ('bucket' in recordings) {
    return say('Recordings are in the bucket, which is backed up where it is; none were copied.')
  }
  const drafts = join(recordings.folder, 'drafts')
  await cp(recordings.folder, join(draft, 'recordings'), {
    recursive: true,
    filter: (path) => path !== drafts,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function copyKeys({ dataDir, secretKey }: Config, draft: string) {
  if (secretKey) return say('The secret key is SECRET_KEY, which you keep; none was copied.')
  for (const name of await readdir(dataDir)) {
    if (keyFiles.includes(name)) await cp(join(dataDir, name), join(draft, name))
  }
}
