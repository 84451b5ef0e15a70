/**
 * Two machines with PostgreSQL under Patroni, and etcd, all of the distribution and with Patroni's defaults. A machine that is killed
 * loses Patroni and PostgreSQL at once; Patroni at the other one has to notice, and promotes its PostgreSQL.
 */
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import type { PostgresPair } from './pair.ts'
import { createProgramFolder, database, kill, queryOnce, untilFound, user } from './programs.ts'

const scope = 'ramal'
/** As `patronictl edit-config` shows them for a new cluster: a leader is missed for 30 s before another one takes over. */
const noticed = { ttl: 30, loop_wait: 10, retry_timeout: 10, maximum_lag_on_failover: 1_048_576 }

type Machine = {
  name: string
  port: number
  cluster: string
  config: string
  patroni: ChildProcess | undefined
}

export async function startPatroniPair({ synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const folder = createProgramFolder()
  const etcdPort = await freePort()
  const etcd = await startEtcd()
  const machines: [Machine, Machine] = [await prepare('one'), await prepare('two')]
  let [primary, replica] = machines

  async function startEtcd(): Promise<ChildProcess> {
    const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${await freePort()}`]
    const options = {
      'data-dir': join(folder.path, 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    }
    return folder.spawn(
      'etcd',
      Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    )
  }

  async function prepare(name: string): Promise<Machine> {
    const machine = { name, port: await freePort(), cluster: join(folder.path, name) }
    const config = join(folder.path, `${name}.yml`)
    const restapi = `127.0.0.1:${await freePort()}`
    // JSON is YAML.
    writeFileSync(
      config,
      JSON.stringify({
        scope,
        name,
        restapi: { listen: restapi, connect_address: restapi },
        etcd3: { host: `127.0.0.1:${etcdPort}` },
        bootstrap: {
          dcs: {
            ...noticed,
            synchronous_mode: synchronous,
            postgresql: { use_pg_rewind: true, parameters: { max_connections: 120 } },
          },
          initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        },
        postgresql: {
          listen: `127.0.0.1:${machine.port}`,
          connect_address: `127.0.0.1:${machine.port}`,
          data_dir: machine.cluster,
          bin_dir: folder.bin,
          pgpass: join(folder.path, `${name}.pgpass`),
          authentication: { superuser: { username: user }, replication: { username: user } },
          parameters: { unix_socket_directories: folder.path },
          pg_hba: [
            'local all all trust',
            'host all all 127.0.0.1/32 trust',
            'host replication all 127.0.0.1/32 trust',
          ],
        },
      }),
    )
    return { ...machine, config, patroni: undefined }
  }

  function launch(machine: Machine) {
    machine.patroni = folder.spawn('patroni', [machine.config])
  }

  const untilPrimary = ({ port }: Machine) => untilFound(port, 'select 1 where not pg_is_in_recovery()')

  async function addReplica() {
    launch(replica)
    const state = synchronous ? "sync_state = 'sync'" : "state = 'streaming'"
    await untilFound(primary.port, `select 1 from pg_stat_replication where ${state}`)
  }

  launch(primary)
  await untilPrimary(primary)
  await queryOnce(primary.port, `create database ${database}`, 'postgres')
  await addReplica()

  return {
    url: `postgres://${user}@${machines.map(({ port }) => `127.0.0.1:${port}`).join()}/${database}`,
    query: (text) => queryOnce(primary.port, text, database),
    async failOver() {
      await killMachine(primary)
      ;[primary, replica] = [replica, primary]
      await untilPrimary(primary)
    },
    addReplica,
    async stop() {
      await Promise.all(machines.map(killMachine))
      await kill(etcd)
      folder.remove()
    },
  }
}

async function killMachine({ cluster, patroni }: Machine) {
  await kill(patroni)
  const [pid] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}
