/** How the owner gets a server: it adopts one that runs already, or creates a cluster and launches one. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountsFor, accountsForNew } from './accounts.ts'
import {
  checkVersion,
  claimCluster,
  hasCluster,
  makeCluster,
  refuseInterruptedUpgrade,
  removeLeftovers,
} from './cluster.ts'
import { obstacle } from './obstacles.ts'
import { disownPidFiles, findServer, isServer } from './pid-file.ts'
import { removeOtherCopies } from './program-copy.ts'
import { copyName, findPackage, preparePrograms } from './programs.ts'
import { launchServer, stopServer } from './server.ts'
import { awaitReady, type Readiness, readMark } from './session.ts'
import { defaultSettings, launchMark, markOf, port, prepareSocketFolder, type Settings } from './settings.ts'

export type ServerOptions = { home: string; cluster: string; settings: Settings; log: (line: string) => void }

export async function bringUp({ home, cluster, settings, log }: ServerOptions) {
  const found = findPackage()
  refuseInterruptedUpgrade(cluster)
  const isNew = !hasCluster(cluster)
  if (!isNew) checkVersion(cluster, found.major)
  const accounts = isNew ? accountsForNew(home) : accountsFor(cluster)
  const programs = preparePrograms(found, accounts, home)
  const wanted = { ...defaultSettings, ...settings }
  const logFile = join(home, 'postgres.log')
  const mark = markOf(wanted, programs.postgres, found.version)

  removeLeftovers(cluster)
  if (isNew) {
    log('making the database folder')
    await makeCluster(cluster, programs.initdb, accounts)
  }
  for (const began = Date.now(); ; await sleep(100)) {
    const orphan = await adopt(cluster, mark, log)
    if (orphan) return { socketFolder: orphan, adopted: true, programs }
    claimCluster(cluster, accounts)
    disownPidFiles(cluster)
    const socketFolder = prepareSocketFolder(cluster, accounts.server)
    const server = launchServer({
      postgres: programs.postgres,
      cluster,
      runAs: accounts.server,
      logFile,
      settings: {
        ...wanted,
        port: String(port),
        unix_socket_directories: socketFolder === cluster ? '.' : socketFolder,
        [launchMark]: mark,
      },
    })
    const readiness = await awaitReady(socketFolder, server.isAlive)
    const outcome = readiness === 'ready' && findServer(cluster)?.pid !== server.pid ? 'gone' : readiness
    if (outcome === 'ready') {
      removeOtherCopies(home, copyName(found))
      return { socketFolder, adopted: false, programs }
    }
    if (outcome === 'silent') server.kill()
    const logText = server.logText()
    if (outcome !== 'gone' || !rivals.test(logText) || Date.now() - began > rivalsLimit) {
      throw failure(outcome, logText, logFile)
    }
  }
}

/**
 * What PostgreSQL logs when it cannot start because backends of a killed server still run (they end soon), or because
 * another process started a server.
 */
const rivals = /pre-existing shared memory block|lock file ".*" already exists/
const rivalsLimit = 20_000

/** The socket folder of an orphaned server; undefined if none runs, or if it was started with other settings. */
async function adopt(cluster: string, mark: string, log: ServerOptions['log']): Promise<string | undefined> {
  const orphan = findServer(cluster)
  if (!orphan) return undefined
  const readiness = await awaitReady(orphan.socketFolder, () => isServer(orphan.pid, cluster))
  if (readiness === 'gone') return undefined
  if (readiness === 'recovering') throw failure(readiness, '', '')
  if (readiness === 'ready' && (await readMark(orphan.socketFolder)) === mark) return orphan.socketFolder
  log(
    `the running PostgreSQL ${readiness === 'ready' ? 'has other settings' : 'does not answer'}: restarting it`,
  )
  await stopServer(cluster)
  return undefined
}

function failure(readiness: Readiness, logText: string, logFile: string): Error {
  const last = logText.trim().split('\n').slice(-5).join('\n')
  if (readiness === 'recovering') {
    // Left running: it goes on recovering until the next start.
    return obstacle('The embedded PostgreSQL is still recovering after two minutes: start again later')
  }
  const what = readiness === 'gone' ? 'ended while starting' : 'does not answer'
  return new Error(`The embedded PostgreSQL ${what}; ${logFile} ends with:\n${last}`)
}
