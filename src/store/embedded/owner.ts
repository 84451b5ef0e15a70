/** What the owner does to have a server: adopt the one that runs, or make and launch one. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountsFor, accountsForNew } from './accounts.ts'
import { checkVersion, claimCluster, hasCluster, makeCluster, removeLeftovers } from './cluster.ts'
import { obstacle } from './obstacles.ts'
import { disownPidFiles, findServer, isServer } from './pid-file.ts'
import { findPackage, preparePrograms } from './programs.ts'
import { launchServer, stopServer } from './server.ts'
import { awaitReady, type Readiness, readMark } from './session.ts'
import { defaultSettings, launchMark, markOf, port, prepareSocketFolder, type Settings } from './settings.ts'

export type Wish = { home: string; cluster: string; settings: Settings; log: (line: string) => void }

export async function bringUp({ home, cluster, settings, log }: Wish) {
  const found = findPackage()
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
    if (orphan) return { socketFolder: orphan, adopted: true }
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
    if (outcome === 'ready') return { socketFolder, adopted: false }
    if (outcome === 'silent') server.kill()
    const words = server.words()
    if (outcome !== 'gone' || !rivals.test(words) || Date.now() - began > rivalsLimit) {
      throw failure(outcome, words, logFile)
    }
  }
}

/**
 * What PostgreSQL says when it gives way: to backends of a killed server, which end when they next
 * look up, or to a server somebody else started.
 */
const rivals = /pre-existing shared memory block|lock file ".*" already exists/
const rivalsLimit = 20_000

/** The socket of a running orphan; none when there is none, or when it was started otherwise. */
async function adopt(cluster: string, mark: string, log: Wish['log']): Promise<string | undefined> {
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

function failure(readiness: Readiness, words: string, logFile: string): Error {
  const last = words.trim().split('\n').slice(-5).join('\n')
  if (readiness === 'recovering') {
    // Left running: the next start finds it further on.
    return obstacle('The embedded PostgreSQL is still recovering after two minutes: start again later')
  }
  const what = readiness === 'gone' ? 'ended while starting' : 'does not answer'
  return new Error(`The embedded PostgreSQL ${what}; ${logFile} ends with:\n${last}`)
}
