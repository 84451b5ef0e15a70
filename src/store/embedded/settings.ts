/** How the server is set up: small, durable, reached through one private socket. */
import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './accounts.ts'
import { canEnter } from './file-access.ts'
import { obstacle } from './obstacles.ts'

export type Settings = Record<string, string>

/** Names the socket; nothing listens on the network. */
export const port = 5432

export const defaultSettings: Settings = {
  listen_addresses: '',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '60',
  shared_buffers: '32MB',
  // Reads in the backend itself: three processes less than PostgreSQL 18's I/O workers.
  io_method: 'sync',
  huge_pages: 'off',
  jit: 'off',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  // Logical replication is possible, for moving to a larger server without downtime; an abandoned slot must not fill the disk.
  wal_level: 'logical',
  max_slot_wal_keep_size: '2GB',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  // Leaves out the errors of single statements: the application sees those, the file would only grow.
  log_min_messages: 'log',
}

/** Recorded in the running server, so that one started otherwise is known when found. */
export const launchMark = 'ramal.launch'

export function markOf(settings: Settings, postgres: string, version: string): string {
  return createHash('sha256')
    .update(JSON.stringify([settings, postgres, version]))
    .digest('hex')
    .slice(0, 16)
}

export function settingFlags(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Bytes of a socket's address: 108 on Linux, 104 on macOS, the last one zero. */
const longestAddress = process.platform === 'darwin' ? 103 : 107

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestAddress
}

/**
 * Connections are trusted, so the socket lies where only the server's user (and root) can come:
 * in the cluster's own folder, or, when that path is too long, in one like it under the temporary folder.
 */
export function prepareSocketFolder(cluster: string, server: RunAs): string {
  if (fits(cluster)) return cluster
  const name = `ramal-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => fits(join(folder, name)) && (server.kind !== 'account' || canEnter(folder, server)),
  )
  const folder = join(parent ?? '/tmp', name)
  const owner = server.kind === 'account' ? server.uid : process.geteuid?.()
  try {
    mkdirSync(folder, { mode: 0o700 })
    if (server.kind === 'account') chownSync(folder, server.uid, server.gid)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw obstacle(`${folder}, meant for the database's socket, belongs to somebody else: remove it`)
  }
  return folder
}
