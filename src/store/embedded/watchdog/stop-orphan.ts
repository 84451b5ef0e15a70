/**
 * `stop-orphan.ts <data folder> <pid>`, run after the process `pid` ended without stopping its PostgreSQL: stops the
 * server, unless another process has become its owner or works on it (such a process has a watchdog of its own).
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock } from '../folder-lock.ts'
import { findServer } from '../pid-file.ts'
import { stopIfUnused } from '../server.ts'
import { appNameOf } from '../session.ts'

/** A server that was just launched has not written its pid file yet; a lock may be that of another watchdog. */
const patience = 10_000
const launchPatience = 3_000

const [home = '', pid = ''] = process.argv.slice(2)
const cluster = join(home, 'postgres')

for (const began = Date.now(); Date.now() - began < patience; await sleep(100)) {
  if (findServer(cluster)) {
    if (await stopOrphan()) break
  } else if (Date.now() - began > launchPatience) break
}

async function stopOrphan(): Promise<boolean> {
  const lock = tryLock(join(home, 'postgres.lock'))
  if (!lock) return false
  try {
    return await stopIfUnused(cluster, appNameOf(pid))
  } finally {
    lock.release()
  }
}
