/** The bundle of the service (D340): what `npm ci` writes, and when it is used in place of the sources. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDataDir, runRamal } from '../helpers/ramal-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('a bundle (D340)', () => {
  const data = makeDataDir()
  let bundles = ''
  let program = ''

  beforeAll(() => {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    // Beside the packages, since native ones are not part of a bundle.
    bundles = mkdtempSync(join(root, 'node_modules/.cache/bundle-'))
    execFileSync(process.execPath, [join(root, 'bin/bundle.js'), bundles])
    const { name } = JSON.parse(readFileSync(join(bundles, 'sources.json'), 'utf8'))
    program = join(bundles, name, 'main.js')
  })
  afterAll(() => {
    rmSync(bundles, { recursive: true, force: true })
    data.remove()
  })

  test('does what the sources do: migrates, hashes a password, and refuses a wrong option', async () => {
    const env = { DATA_DIR: data.path, LOG_LEVEL: 'warn' }
    const run = (...args: string[]) => runRamal(args, env, { program })
    expect(await run('migrate')).toMatchObject({ code: 0 })
    const person = '--email ana@aurora.example --password battery-of-horses'
    const created = await run('account', 'create', '--domain', 'a.ramal.localhost', ...person.split(' '))
    expect(created.text).toMatch(/^Token\s+\w{64}$/m)
    expect(await run('migrate', '--loud')).toMatchObject({ code: 2 })
  })
})

describe('bin/ramal.js runs the sources (D340)', () => {
  const project = mkdtempSync(join(tmpdir(), 'ramal-bundle-'))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  const source = join(project, 'src/main.ts')
  let findBundle: () => string | undefined
  let record: object

  beforeAll(async () => {
    for (const folder of ['bin', 'src', 'dist']) mkdirSync(join(project, folder))
    writeFileSync(source, 'one')
    cpSync(join(root, 'bin/bundled.js'), join(project, 'bin/bundled.js'))
    const bundled = await import(pathToFileURL(join(project, 'bin/bundled.js')).href)
    findBundle = bundled.findBundle
    record = { name: 'made', madeIn: bundled.root, stamps: { 'src/main.ts': bundled.stamp('src/main.ts') } }
  })
  const write = (text: string) => writeFileSync(join(project, 'dist/sources.json'), text)

  test('where there is no bundle, or none that is complete', () => {
    expect(findBundle()).toBeUndefined()
    write('{"name":')
    expect(findBundle()).toBeUndefined()
  })

  test('in another folder than the bundle was made in', () => {
    write(JSON.stringify({ ...record, madeIn: '/elsewhere/' }))
    expect(findBundle()).toBeUndefined()
  })

  test('once a source has changed or is gone, and the bundle until then', () => {
    write(JSON.stringify(record))
    expect(findBundle()).toMatch(/made\/main\.js$/)
    writeFileSync(source, 'changed')
    expect(findBundle()).toBeUndefined()
    rmSync(source)
    expect(findBundle()).toBeUndefined()
  })
})
