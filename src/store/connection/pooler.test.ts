/** D261: Debian's PgBouncer in front of the database is refused with one sentence, in every mode. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { programMissing } from '../../../test/helpers/programs/programs.ts'
import { startTcpProxy } from '../../../test/helpers/programs/tcp-proxy.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { createLog } from '../../kit/process/log.ts'
import { openStore } from '../open-store.ts'

const program = '/usr/sbin/pgbouncer'

describe.skipIf(programMissing(program))('a pooler in front of the database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>
  let home: string
  let bouncer: ChildProcess | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startTcpProxy(database.url)
  })
  afterAll(async () => {
    proxy.close()
    await database.drop()
  })
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ramal-pooler-'))
  })
  afterEach(async () => {
    if (bouncer?.exitCode === null) {
      bouncer.kill('SIGKILL')
      await once(bouncer, 'exit')
    }
    await rm(home, { recursive: true, force: true })
  })

  async function startBouncer(...settings: string[]): Promise<string> {
    const port = await freePort()
    // Over TCP: the socket of the embedded PostgreSQL is closed to other users.
    const { port: databasePort, pathname, username, password } = new URL(proxy.url)
    const [name, user] = [pathname.slice(1), decodeURIComponent(username)]
    const target = ['host=127.0.0.1', `port=${databasePort}`, `dbname=${name}`, `user=${user}`]
    if (password) target.push(`password=${decodeURIComponent(password)}`)
    const lines = [
      '[databases]',
      `${name} = ${target.join(' ')}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      ...settings,
    ]
    const file = join(home, 'pgbouncer.ini')
    await writeFile(file, lines.join('\n'))
    await chmod(home, 0o711)
    await chmod(file, 0o644)
    // It does not run as root.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    bouncer = spawn(program, [file], { stdio: 'ignore', ...nobody })
    await expect
      .poll(
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => resolve(true))
            socket.once('error', () => resolve(false))
            socket.once('connect', () => socket.destroy())
          }),
      )
      .toBe(true)
    return `postgres://${user}@127.0.0.1:${port}/${name}`
  }

  const opened = async (databaseUrl: string) => {
    const options = { databaseUrl, databasePool: 2, databaseCallPool: 2, dataDir: home }
    const store = await openStore(options, createLog('silent'))
    await store.close()
  }

  test('PostgreSQL itself is taken', async () => {
    await opened(database.url)
  })

  const ignores =
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout,options'

  test.each([
    [
      'as it is installed',
      [],
      /refuses the settings of our sessions\. Let DATABASE_URL name PostgreSQL itself/,
    ],
    ['in transaction mode', ['pool_mode = transaction', ignores], /shares one session among clients/],
    ['in session mode', ['pool_mode = session', ignores], /drops the settings of our sessions/],
  ])('PgBouncer %s is refused', async (_mode, settings, sentence) => {
    await expect(opened(await startBouncer(...settings))).rejects.toThrow(sentence)
  })
})
