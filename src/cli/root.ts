/**
 * D481: a service that root starts runs as the owner of DATA_DIR or, in a folder that is not there yet, as the user of `sudo`.
 * If neither is another user, it runs as root only while it is reached from this machine alone, or if RUN_AS_ROOT is set.
 */
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { isLoopbackHost } from '../kit/networks.ts'
import { canEnter, canExecute, giveTree, type Identity } from '../store/embedded/file-access.ts'

const isRoot = () => process.geteuid?.() === 0

/** Returns a sentence for the log, if there is something to say; throws if the service must not start. */
export function leaveRoot(config: Config): string | undefined {
  if (!isRoot()) return undefined
  const user = ordinaryUser(config)
  if (user) {
    become(config.dataDir, user)
    return undefined
  }
  const problem = rootProblem(config)
  if (problem) throw new Error(problem)
  return `Started by root, and runs as root. Run it as an ordinary user, or make one the owner of ${config.dataDir}.`
}

/** Why it would not start, for `doctor` too. */
export function rootProblem(config: Config): string | undefined {
  const { operatorPages, voice, runAsRoot, dataDir } = config
  const isReached = !(operatorPages && isLoopbackHost(voice.host))
  if (!isRoot() || !isReached || runAsRoot || ordinaryUser(config)) return undefined
  return `A service that others can reach does not run as root: run it as an ordinary user, make one who may read this program the owner of ${dataDir}, or set RUN_AS_ROOT=true.`
}

function ordinaryUser({ dataDir }: Config): Identity | undefined {
  const user = existsSync(dataDir) ? ownerOf(dataDir) : sudoUser()
  if (!user || user.uid === 0) return undefined
  const parent = nearestFolder(dirname(dataDir))
  const canRun =
    canEnter(import.meta.dirname, user) && canExecute(process.execPath, user) && canEnter(parent, user)
  return canRun ? user : undefined
}

function ownerOf(folder: string): Identity {
  const { uid, gid } = statSync(folder)
  return { uid, gid }
}

function sudoUser(): Identity | undefined {
  const { SUDO_UID, SUDO_GID } = process.env
  return SUDO_UID && SUDO_GID ? { uid: Number(SUDO_UID), gid: Number(SUDO_GID) } : undefined
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)))

/** Files that root, or PostgreSQL started by root, left in the data folder must be usable. */
function become(dataDir: string, { uid, gid }: Identity) {
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (made !== undefined) giveTree(made, { uid, gid })
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    const found = lstatSync(path)
    if (found.uid === uid) continue
    if (found.isDirectory()) giveTree(path, { uid, gid })
    else if (found.isFile()) chownSync(path, uid, gid)
  }
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
