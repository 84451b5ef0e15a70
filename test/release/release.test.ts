/** The archive of `npm run release` (D340), and that the tests of a release test its files (D450). */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { makeDataDir, runRamal, startRamal } from '../helpers/programs/ramal-process.ts'
import { released } from './shipped-modules.ts'

const [archive = ''] = globSync(join(released, '../*.tgz'))
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' })

test('what tests import from src is the code of the release', () => {
  let thrown: unknown
  try {
    readConfig({ PORT: 'none' })
  } catch (error) {
    thrown = error
  }
  expect(thrown instanceof Error && thrown.stack).toContain(pathToFileURL(join(released, 'dist')).href)
})

describe('the archive', () => {
  const entries = run('tar', '-tzf', archive).trim().split('\n')

  test('holds the files that are tested, and no others', () => {
    const files = globSync('**/*', { cwd: released, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join('package', join(entry.parentPath, entry.name).slice(released.length)))
    expect(entries.toSorted()).toEqual(files.toSorted())
  })

  test('and its list of contents are the files that SHA256SUMS names, as sha256sum checks them', () => {
    const checked = run('sh', '-c', `cd '${join(released, '..')}' && sha256sum --strict -c SHA256SUMS`)
    const name = basename(archive, '.tgz')
    expect(checked.trim().split('\n')).toEqual([`${name}.tgz: OK`, `${name}.cdx.json: OK`])
  })

  test('is the same for the same files: entries have no time of their own, and no owner', () => {
    const details = run('tar', '--utc', '--full-time', '--numeric-owner', '-tvzf', archive).trim().split('\n')
    const owners = new Set(details.map((line) => line.split(/\s+/)[1]))
    const times = new Set(details.map((line) => line.split(/\s+/)[3]))
    expect([owners.size, times.size]).toEqual([1, 1])
  })

  test('has neither sources nor tools of development', () => {
    expect(
      entries.filter((entry) =>
        /\.tsx?$|\/test\/|\/tools\/|rolldown\/|vite\/|node_modules\/typescript\//.test(entry),
      ),
    ).toEqual([])
  })

  test.skipIf(programMissing('python3'))('has the packages of the clients, which its pages install', () => {
    const { version } = JSON.parse(readFileSync(join(released, 'package.json'), 'utf8'))
    const packages = entries.filter((entry) => /^package\/clients\/[^/]+\.(tgz|whl|zip)$/.test(entry))
    expect(packages.map((entry) => basename(entry)).toSorted()).toEqual([
      `ramal-${version}-py3-none-any.whl`,
      `ramal-client-${version}.tgz`,
      `ramal-client-${version}.zip`,
    ])
  })

  test('has pages that lead to files in it, or to sources', () => {
    const isSource = (path: string) =>
      /^(src|test|tools|proof|bench|bin|console|clients\/\w+\/src)\//.test(path)
    const dead = globSync('**/*.md', { cwd: released, exclude: ['**/node_modules/**', 'site/**'] }).flatMap(
      (page) =>
        [...readFileSync(join(released, page), 'utf8').matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)]
          .map(([, link = '']) => join(dirname(page), link))
          .filter((path) => !isSource(path) && !existsSync(join(released, path)))
          .map((path) => `${page}: ${path}`),
    )
    expect(dead).toEqual([])
  })

  test('has the licence of every package in it', () => {
    const texts = readFileSync(join(released, 'LICENCES.md'), 'utf8')
    const code = globSync(join(released, 'dist/*.js')).map((file) => readFileSync(file, 'utf8'))
    const origins = code.flatMap((text) => [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)])
    const packages = new Set(origins.map(([, name = '']) => name))
    const { dependencies } = JSON.parse(readFileSync(join(released, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) packages.add(name)
    expect(packages.size).toBeGreaterThan(50)
    expect([...packages].filter((name) => !texts.includes(`\n## ${name} `))).toEqual([])
    expect(texts).toContain('\n## react ')
  })
})

describe('installed from the archive', () => {
  const onLinux = test.skipIf(process.platform !== 'linux')
  const folder = mkdtempSync(join(tmpdir(), 'ramal-installed-'))
  const data = makeDataDir()
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    data.remove()
  })
  const env = { DATA_DIR: data.path, LOG_LEVEL: 'warn' }
  const person = '--email ana@aurora.example --password battery-of-horses'
  const account = ['account', 'create', '--domain', 'a.ramal.localhost', ...person.split(' ')]

  describe('by npm, without a network', () => {
    beforeAll(() => {
      run('npm', 'install', '--global', '--offline', '--silent', '--prefix', join(folder, 'npm'), archive)
    })

    test('it is the command ramal, which makes a database and hashes a password', async () => {
      const program = join(folder, 'npm/bin/ramal')
      const created = await runRamal(account, env, { folder: tmpdir(), program })
      expect(created.text).toMatch(/^Token\s+\w{64}$/m)
      expect(await runRamal(['migrate', '--loud'], env, { folder: tmpdir(), program })).toMatchObject({
        code: 2,
      })
    })
  })

  describe('by tar', () => {
    beforeAll(() => {
      run('tar', '-xzf', archive, '-C', folder)
    })

    onLinux('it runs on a machine that has no Node', () => {
      const program = join(folder, 'package/bin/ramal.js')
      const said = execFileSync(join(folder, 'package/bin/node'), [program, '--help'], {
        env: {},
        encoding: 'utf8',
      })
      expect(said).toContain('serve')
    })

    onLinux('D631: the library of the media sockets is in it, for this platform alone, and loads', () => {
      const modules = join(folder, 'package/node_modules')
      const programs = globSync('**/*koffi*.node', { cwd: modules })
      expect(programs).toEqual([
        expect.stringContaining(`koffi-linux-${process.arch}/linux_${process.arch}/`),
      ])
      const script = `require(${JSON.stringify(join(modules, 'koffi'))}).load('libc.so.6'); console.log('loaded')`
      const said = execFileSync(join(folder, 'package/bin/node'), ['-e', script], {
        env: {},
        encoding: 'utf8',
      })
      expect(said).toBe('loaded\n')
    })
  })
})

test('the service of the release keeps a check that only throws: a broken escape is counted and has its headers', async () => {
  const data = makeDataDir()
  const service = await startRamal({ DATA_DIR: data.path, RATE_LIMITS: 'on' })
  try {
    const { status, headers } = await fetch(`${service.url}/api/v1/calls/%zz`)
    expect(status).toBe(400)
    for (const name of ['ratelimit-remaining', 'access-control-allow-origin', 'x-request-id'])
      expect(headers.get(name)).not.toBeNull()
  } finally {
    await service.kill('SIGTERM')
    data.remove()
  }
})

test('the release serves its console, which is built', async () => {
  const data = makeDataDir()
  const service = await startRamal({ DATA_DIR: data.path, CONSOLE: 'on' })
  try {
    expect((await fetch(`${service.url}/console`)).status).toBe(200)
  } finally {
    await service.kill('SIGTERM')
    data.remove()
  }
})
