import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { canEnter, canExecute } from './file-access.ts'
import { isRoot, makeScratch, postmasterPid, runStarter } from './testing/scratch.ts'

const nobody = { uid: 65534, gid: 65534 }
const nameless = { uid: 12345, gid: 12345 }

const become = ({ uid, gid }: typeof nobody) => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
]
const withoutSetuid = ['setpriv', '--bounding-set=-setuid', '--inh-caps=-setuid']

const canBeOthers = isRoot && spawnSync('setpriv', ['--version']).status === 0
const canBeElsewhere =
  canBeOthers && canEnter(import.meta.dirname, nobody) && canExecute(process.execPath, nobody)
const canMask =
  canBeOthers &&
  spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', '--', 'true']).status === 0

const ownerOf = (pid: number) => statSync(`/proc/${pid}`).uid

describe.skipIf(!isRoot)('as root (skipped: these tests do not run as root)', () => {
  test('works below a folder that is closed to everyone else, as a uid of its own', async () => {
    const home = makeScratch({ mode: 0o700 })
    const dataDir = join(home, 'data')
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
    onTestFinished(() => server.stop())
    expect(ownerOf(postmasterPid(dataDir))).toBe(15432)
    expect(statSync(join(dataDir, 'postgres/base')).uid).toBe(15432)
    expect(statSync(home).mode & 0o777).toBe(0o700)

    const client = new pg.Client(server.connection)
    await client.connect()
    await client.query('create table kept as select generate_series(1, 10000) as id')
    await client.end()
    await server.stop()
    const again = await startEmbeddedPostgres({ dataDir, log: () => {} })
    await again.stop()
  })

  test('runs the server as the user who owns the data folder, who can start it too', async () => {
    const dataDir = makeScratch({ mode: 0o700, owner: nobody })
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
    onTestFinished(() => server.stop())
    expect(ownerOf(postmasterPid(dataDir))).toBe(nobody.uid)
    await server.stop()

    if (!canBeElsewhere) return
    const user = runStarter(dataDir, 'hold', become(nobody))
    expect(await user.report()).toBe('{"adopted":false,"owned":true}')
    await user.finish()
    expect(user.lines.at(-1)).toBe('stopped')
  })
})

describe.skipIf(!canMask || !canBeElsewhere)('with less (skipped: cannot become others here)', () => {
  test('works for a uid that has no name', async () => {
    const dataDir = makeScratch({ mode: 0o700, owner: nameless })
    const user = runStarter(dataDir, 'hold', become(nameless))
    expect(await user.report()).toBe('{"adopted":false,"owned":true}')
    expect(ownerOf(postmasterPid(dataDir))).toBe(nameless.uid)
    await user.finish()
    expect(user.lines.at(-1)).toBe('stopped')
  })

  test('works for root that may not change its uid, and hands over to root that may', async () => {
    const dataDir = makeScratch()
    const weak = runStarter(dataDir, 'hold', withoutSetuid)
    expect(await weak.report()).toBe('{"adopted":false,"owned":true}')
    await weak.finish()
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)

    const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
    await server.stop()
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(15432)

    const late = runStarter(dataDir, 'hold', withoutSetuid)
    expect(await late.report()).toMatch(/^refused: .*uid 15432.*CAP_SETUID.*DATABASE_URL/)
  })
})

describe.skipIf(!canBeElsewhere)('with too little (skipped: cannot become others here)', () => {
  const setpriv = canBeElsewhere ? execFileSync('which', ['setpriv'], { encoding: 'utf8' }).trim() : ''
  const noPrograms = { PATH: '/nowhere' }

  test.each([
    [
      'a nameless uid',
      [setpriv, ...become(nameless).slice(1)],
      /uid 12345 has no name in passwd.*DATABASE_URL/,
    ],
    ['root', [setpriv, ...withoutSetuid.slice(1)], /does not run as root.*DATABASE_URL/],
  ])('%s that may make no user namespace gets a sentence about it', async (_, wrap, sentence) => {
    const dataDir = makeScratch({ mode: 0o777 })
    const refused = runStarter(dataDir, 'hold', wrap, noPrograms)
    expect(await refused.report()).toMatch(sentence)
  })

  test('a folder that cannot be written is named', async () => {
    const closed = join(makeScratch({ mode: 0o700 }), 'data')
    mkdirSync(closed)
    const refused = runStarter(closed, 'hold', become(nobody))
    const report = await refused.report()
    expect(report).toMatch(/is closed to uid 65534.*DATABASE_URL/)
    expect(report).toContain(closed)
  })
})

test('the mode of a folder is judged as the kernel would', () => {
  const folder = makeScratch({ mode: 0o700 })
  expect(canEnter(folder, { uid: statSync(folder).uid, gid: 1 })).toBe(true)
  expect(canEnter(folder, nameless)).toBe(false)
})
