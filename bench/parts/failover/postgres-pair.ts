/** A primary and its replica, of the distribution's PostgreSQL. The primary is killed, the replica promoted, and a new replica made. */
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import type { PostgresPair } from './pair.ts'
import { createProgramFolder, database, kill, queryOnce, untilFound, user } from './programs.ts'

type Server = { port: number; cluster: string; child: ChildProcess | undefined }

/** `synchronous`: a commit is confirmed once the replica has it as well. */
export async function startPostgresPair({ synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const folder = createProgramFolder()
  const servers: [Server, Server] = [await prepare('one'), await prepare('two')]
  let [primary, replica] = servers

  async function prepare(name: string): Promise<Server> {
    return { port: await freePort(), cluster: join(folder.path, name), child: undefined }
  }

  async function launch(server: Server) {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(server.port),
      unix_socket_directories: '',
      max_connections: '120',
      wal_level: 'replica',
      hot_standby: 'on',
      // Pages that the kernel holds are not lost when a process is killed.
      fsync: 'off',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server.child = folder.spawn(join(folder.bin, 'postgres'), ['-D', server.cluster, ...args])
    await untilFound(server.port, 'select 1')
  }

  /** A copy of the primary follows it. */
  async function addReplica() {
    rmSync(replica.cluster, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=${user} dbname=postgres`
    const copy = ['-D', replica.cluster, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await folder.run('pg_basebackup', copy)
    await launch(replica)
    await untilFound(primary.port, "select 1 from pg_stat_replication where state = 'streaming'")
    if (!synchronous) return
    // The copy has no such setting: once promoted it would wait for a replica that it does not have yet.
    await queryOnce(primary.port, "alter system set synchronous_standby_names = '*'", 'postgres')
    await queryOnce(primary.port, 'select pg_reload_conf()', 'postgres')
    await untilFound(primary.port, "select 1 from pg_stat_replication where sync_state = 'sync'")
  }

  const cluster = ['-D', primary.cluster, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await folder.run('initdb', cluster)
  await launch(primary)
  await queryOnce(primary.port, `create database ${database}`, 'postgres')
  await addReplica()

  return {
    url: `postgres://${user}@127.0.0.1:${servers[0].port},127.0.0.1:${servers[1].port}/${database}`,
    query: (text) => queryOnce(primary.port, text, database),
    /** Nothing takes writes in between. */
    async failOver() {
      await kill(primary.child)
      ;[primary, replica] = [replica, primary]
      await folder.run('pg_ctl', ['-D', primary.cluster, '-w', 'promote'])
    },
    addReplica,
    async stop() {
      await Promise.all([kill(primary.child), kill(replica.child)])
      folder.remove()
    },
  }
}
