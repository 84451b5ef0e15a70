import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './pid-file.ts'
import {
  killServer,
  makeFolder,
  makeScratch,
  postmasterPid,
  removeFolder,
  runStarter,
  until,
} from './testing/scratch.ts'

// Making a cluster is the slow part: tests that do not care share one.
const shared = makeFolder()
afterAll(() => removeFolder(shared))

async function start(dataDir: string, settings = {}) {
  const server = await startEmbeddedPostgres({ dataDir, settings, log: () => {} })
  onTestFinished(() => server.stop())
  return server
}

async function query(server: Awaited<ReturnType<typeof start>>, text: string) {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('makes a database on the first start, over the remains of a killed one, and finds it on the second', async () => {
  for (const name of ['postgres.init', 'postgres.init-0badcafe']) {
    // What a kill during an earlier first start left behind.
    mkdirSync(join(shared, name, 'base'), { recursive: true })
    writeFileSync(join(shared, name, 'PG_VERSION'), '18\n')
  }
  const first = await start(shared)
  expect(first).toMatchObject({ adopted: false, owned: true })
  const programs = expect.stringMatching(/^postgresql-18/)
  expect(readdirSync(shared).toSorted()).toEqual(['postgres', 'postgres.lock', 'postgres.log', programs])
  await query(first, 'create table first_kept (id int); insert into first_kept values (7)')
  const pid = postmasterPid(shared)
  await first.stop()
  expect(isAlive(pid)).toBe(false)

  const second = await start(shared)
  expect(await query(second, 'select id from first_kept')).toEqual([{ id: 7 }])
})

test('flushes commits, listens on nothing but its socket, and works as a user with few rights', async () => {
  const server = await start(shared)
  const [found] = await query(
    server,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
            current_setting('listen_addresses') as listen, current_setting('server_encoding') as encoding,
            (select datlocale from pg_database where datname = 'ramal') as locale,
            (select rolsuper from pg_roles where rolname = current_user) as super`,
  )
  const expected = {
    fsync: 'on',
    commit: 'on',
    listen: '',
    encoding: 'UTF8',
    locale: 'C.UTF-8',
    super: false,
  }
  expect(found).toEqual(expected)
  expect(statSync(server.connection.host).mode & 0o077).toBe(0)
})

test('adopts the server of an owner that was killed, with every acknowledged row', async () => {
  const writer = runStarter(shared, 'write')
  await until('rows are written', () => writer.lines.length > 50)
  const pid = postmasterPid(shared)
  await writer.kill()
  const acknowledged = Number(writer.lines.at(-1))

  const server = await start(shared)
  expect(server).toMatchObject({ adopted: true, owned: true })
  expect(postmasterPid(shared)).toBe(pid)
  const [{ count }] = await query(server, `select count(*)::int from written where id <= ${acknowledged}`)
  expect(count).toBe(acknowledged)
  await server.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a server that was killed comes back in the same place when its owner revives it', async () => {
  const server = await start(shared)
  await query(server, 'create table revived (id int); insert into revived values (1)')
  const pid = postmasterPid(shared)
  killServer(shared)
  await Promise.all([server.revive(), server.revive()])
  expect(postmasterPid(shared)).not.toBe(pid)
  expect(await query(server, 'select id from revived')).toEqual([{ id: 1 }])
  const again = postmasterPid(shared)
  await server.revive()
  expect(postmasterPid(shared)).toBe(again)
})

test('loses no acknowledged row when all server processes are killed among writers', async () => {
  const acknowledged: number[] = []
  let next = 0
  for (let round = 0; round < 3; round++) {
    const server = await start(shared)
    await query(server, 'create table if not exists kept (id int primary key)')
    const pool = new pg.Pool({ ...server.connection, max: 8 })
    pool.on('error', () => {})
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const id = next++
        await pool.query('insert into kept values ($1)', [id])
        acknowledged.push(id)
      }
    })
    const goal = acknowledged.length + 300
    await until('rows are written', () => acknowledged.length > goal)
    killServer(shared)
    await Promise.allSettled(writers)
    await pool.end()
    await server.stop()
  }
  const server = await start(shared)
  const kept = new Set((await query(server, 'select id from kept')).map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

test('starts although the pid of a killed server went to another process of its user', async () => {
  const first = await start(shared)
  const { uid, gid } = statSync(first.connection.host)
  const bystander = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  onTestFinished(() => void bystander.kill())
  const pid = postmasterPid(shared)
  killServer(shared)
  await first.stop()
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const path = join(shared, 'postgres', name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(String(pid), String(bystander.pid)))
  }
  const second = await start(shared)
  expect(second.adopted).toBe(false)
  await second.stop()
  expect(bystander.signalCode).toBeNull()
})

test('two starters at once share one server, which ends with its owner', async () => {
  const dataDir = makeScratch()
  const starters = [runStarter(dataDir, 'hold'), runStarter(dataDir, 'hold')]
  const reports = await Promise.all(starters.map((starter) => starter.report()))
  const [owner, user] = reports[0]?.includes('"owned":true') ? starters : starters.toReversed()
  expect(reports.toSorted()).toEqual(['{"adopted":false,"owned":false}', '{"adopted":false,"owned":true}'])

  const pid = postmasterPid(dataDir)
  await user?.finish()
  expect(isAlive(pid)).toBe(true)
  await owner?.finish()
  expect(isAlive(pid)).toBe(false)
})

test('an owner that ends while another process works leaves the server to it', async () => {
  const server = await start(shared)
  const worker = new pg.Client({ ...server.connection, application_name: 'ramal 1' })
  await worker.connect()
  const pid = postmasterPid(shared)
  await server.stop()
  expect((await worker.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(isAlive(pid)).toBe(true)
  // Before the worker ends: a server that nobody uses is stopped.
  const last = await start(shared)
  expect(postmasterPid(shared)).toBe(pid)
  await worker.end()
  await last.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a process that starts while the server is being stopped gets a server', async () => {
  for (let round = 0; round < 8; round++) {
    const first = await start(shared)
    const stopped = first.stop()
    // Each round meets the shutdown a little later.
    for (let turn = 0; turn < round; turn++) await new Promise((next) => setImmediate(next))
    const [second] = await Promise.all([start(shared), stopped])
    await second.revive()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    await second.stop()
  }
})

test('a user revives the server when its owner has left and it has died', async () => {
  const owner = runStarter(shared, 'hold')
  await owner.report()
  const user = await start(shared)
  expect(user.owned).toBe(false)
  await user.revive()
  await owner.finish()
  await until(
    'the server has ended with its owner',
    () => !existsSync(join(shared, 'postgres/postmaster.pid')),
  )
  await user.revive()
  expect(await query(user, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a user whose owner died stops the server', async () => {
  const owner = runStarter(shared, 'hold')
  await owner.report()
  const user = await start(shared)
  expect(user.owned).toBe(false)
  const pid = postmasterPid(shared)
  await owner.kill()
  await user.stop()
  expect(isAlive(pid)).toBe(false)
})

test('restarts an orphan that was started with other settings', async () => {
  const owner = runStarter(shared, 'hold')
  await owner.report()
  await owner.kill()
  const server = await start(shared, { max_connections: '17' })
  expect(server.adopted).toBe(false)
  expect(await query(server, 'show max_connections')).toEqual([{ max_connections: '17' }])
})

test('puts the socket in a short private folder when the data path is long', async () => {
  const dataDir = join(makeScratch(), 'x'.repeat(60), 'y'.repeat(60))
  cpSync(join(shared, 'postgres'), join(dataDir, 'postgres'), { recursive: true })
  const server = await start(dataDir)
  expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90)
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(existsSync(server.connection.host)).toBe(false)
})

test('starts a new log when the old one is large', async () => {
  const log = join(shared, 'postgres.log')
  writeFileSync(log, '')
  truncateSync(log, 11 * 1024 * 1024)
  await start(shared)
  expect(statSync(log).size).toBeLessThan(10_000)
})

test('says what the server said when it does not start', async () => {
  await expect(start(shared, { shared_buffers: 'many' })).rejects.toThrow(/shared_buffers.*"many"/s)
  const server = await start(shared)
  expect(server.owned).toBe(true)
})
