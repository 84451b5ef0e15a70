/** The cluster: PostgreSQL's folder of databases. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { command } from '../../kit/process/command.ts'
import type { Accounts } from './accounts.ts'
import { giveTree } from './file-access.ts'
import { obstacle } from './obstacles.ts'
import { runProgram } from './program-run.ts'

/** The database user that owns the cluster; the application uses one with fewer rights. */
export const superuser = 'postgres'

export function hasCluster(cluster: string): boolean {
  const version = statSync(join(cluster, 'PG_VERSION'), { throwIfNoEntry: false })
  if (!version && existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw obstacle(`${cluster} holds something that is not a PostgreSQL database: move it away`)
  }
  return version !== undefined
}

export const upgradeFolder = (cluster: string) => join(dirname(cluster), 'upgrade')

/** D264: the new cluster is complete and is not in its place yet, the old one may be gone from there. */
export const interruptedUpgrade = (cluster: string) => existsSync(join(upgradeFolder(cluster), 'complete'))

export function refuseInterruptedUpgrade(cluster: string): void {
  if (interruptedUpgrade(cluster)) {
    throw obstacle(`An upgrade of ${cluster} was interrupted: run \`${command} upgrade\` again`)
  }
}

export function checkVersion(cluster: string, programsMajor: string): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (major !== programsMajor) {
    throw obstacle(
      `The database in ${cluster} was made by PostgreSQL ${major} and the installed one is ${programsMajor}: run \`${command} upgrade\``,
    )
  }
}

/**
 * Created under a temporary name and renamed when complete, so that a kill leaves no incomplete cluster. The name is
 * new each time: an initdb that outlives its killed parent must not write into this attempt.
 */
export async function makeCluster(cluster: string, initdb: string, accounts: Accounts): Promise<void> {
  const attempt = `${cluster}.init-${randomBytes(4).toString('hex')}`
  mkdirSync(attempt, { mode: 0o700 })
  try {
    if (accounts.initdb.kind === 'account') chownSync(attempt, accounts.initdb.uid, accounts.initdb.gid)
    await runInitdb(attempt, initdb, accounts)
    if (accounts.server.kind === 'account') giveTree(attempt, accounts.server)
    renameSync(attempt, cluster)
    syncFolder(dirname(cluster))
  } catch (error) {
    rmSync(attempt, { recursive: true, force: true })
    throw error
  }
}

/** One call for the whole file system: fsync of each of a thousand files takes as long as the rest of initdb. */
const syncMethod = process.platform === 'linux' ? ['--sync-method=syncfs'] : []

async function runInitdb(folder: string, initdb: string, accounts: Accounts): Promise<void> {
  const child = runProgram({
    program: initdb,
    runAs: accounts.initdb,
    folder,
    args: (name) => [
      `--pgdata=${name}`,
      `--username=${superuser}`,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // Every client that can reach the socket is trusted (see prepareSocketFolder); there is no network access.
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
      // A new segment of the usual 16 MB is written for about 60 ms, and no transaction commits meanwhile.
      '--wal-segsize=4',
      ...syncMethod,
    ],
    output: 'pipe',
    detached: false,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [, complaint, code] = await Promise.all([
    child.stdout && text(child.stdout),
    child.stderr && text(child.stderr),
    ended,
  ])
  if (code !== 0) throw new Error(`initdb could not make ${folder}: ${complaint?.trim()}`)
}

/** Gives a copied or restored cluster back to the server's user, and closes it to others. */
export function claimCluster(cluster: string, { server }: Accounts): void {
  const { uid, mode } = statSync(cluster)
  if ((mode & 0o077) !== 0) chmodSync(cluster, 0o700)
  if (server.kind === 'account' && uid !== server.uid) giveTree(cluster, server)
}

/** Removes incomplete clusters of killed first starts. One that an orphaned initdb still fills is left for later. */
export function removeLeftovers(cluster: string): void {
  const folder = dirname(cluster)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(cluster)}.init`)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // An orphaned initdb is still writing into it.
    }
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
