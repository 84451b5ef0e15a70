/** A primary and its replica, of the distribution's PostgreSQL. The primary is killed, the replica promoted, and a new replica made. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../../test/helpers/programs/free-port.ts'

const distributions = '/usr/lib/postgresql'
const user = 'ramal'
const database = 'ramal'
const run = promisify(execFile)

/** The folder of its programs; undefined where the distribution's PostgreSQL is not installed. */
function findPrograms(): string | undefined {
  const majors = existsSync(distributions) ? readdirSync(distributions) : []
  return majors
    .toSorted((one, other) => Number(one) - Number(other))
    .map((major) => join(distributions, major, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'pg_basebackup')))
}

type Server = { port: number; cluster: string; child: ChildProcess | undefined }

/** `synchronous`: a commit is confirmed once the replica has it as well. */
export async function startPostgresPair({ synchronous }: { synchronous: boolean }) {
  const bin = findPrograms()
  if (!bin) throw new Error('PostgreSQL of the distribution is not installed')
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  const folder = mkdtempSync(join(tmpdir(), 'ramal-pair-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const inFolder = { cwd: folder, ...owner }
  const program = (name: string, args: string[]) => run(join(bin, name), args, inFolder)
  const servers: [Server, Server] = [await prepare('one'), await prepare('two')]
  let [primary, replica] = servers

  async function prepare(name: string): Promise<Server> {
    return { port: await freePort(), cluster: join(folder, name), child: undefined }
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
    server.child = spawn(join(bin ?? '', 'postgres'), ['-D', server.cluster, ...args], {
      ...inFolder,
      stdio: 'ignore',
    })
    await untilFound(server, 'select 1')
  }

  async function query({ port }: Server, text: string, name: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ host: '127.0.0.1', port, user, database: name })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.query(text)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async function untilFound(server: Server, text: string) {
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(20)) {
      const found = await query(server, text, 'postgres').catch(() => undefined)
      if (found && found.rows.length > 0) return
    }
    throw new Error(`PostgreSQL has no row after a minute: ${text}`)
  }

  /** A copy of the primary follows it. */
  async function addReplica() {
    rmSync(replica.cluster, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=${user} dbname=postgres`
    await program('pg_basebackup', [
      '-D',
      replica.cluster,
      '-d',
      from,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ])
    await launch(replica)
    await untilFound(primary, "select 1 from pg_stat_replication where state = 'streaming'")
    if (!synchronous) return
    // The copy has no such setting: once promoted it would wait for a replica that it does not have yet.
    await query(primary, "alter system set synchronous_standby_names = '*'", 'postgres')
    await query(primary, 'select pg_reload_conf()', 'postgres')
    await untilFound(primary, "select 1 from pg_stat_replication where sync_state = 'sync'")
  }

  await program('initdb', [
    '-D',
    primary.cluster,
    '-U',
    user,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ])
  await launch(primary)
  await query(primary, `create database ${database}`, 'postgres')
  await addReplica()

  return {
    /** Both servers: which of them is the primary changes. */
    url: `postgres://${user}@127.0.0.1:${servers[0].port},127.0.0.1:${servers[1].port}/${database}`,
    query: (text: string) => query(primary, text, database),
    /** Kills the primary and promotes the replica. Nothing takes writes in between. */
    async failOver() {
      await kill(primary)
      ;[primary, replica] = [replica, primary]
      await program('pg_ctl', ['-D', primary.cluster, '-w', 'promote'])
    },
    addReplica,
    async stop() {
      await Promise.all([kill(primary), kill(replica)])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function kill({ child }: Server) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
