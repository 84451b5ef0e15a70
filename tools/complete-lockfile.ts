/**
 * `npm run lockfile`, after npm changed package-lock.json:
 *
 * - names the optional packages of other platforms that the registry at hand does not carry. `npm ci` wants every
 *   one of them named, also those it will never install here.
 * - D169: leaves out which Node a package needs. npm compares that with the Node that runs npm and warns, but the
 *   packages run on the Node that is installed with them.
 */
import { readFileSync, writeFileSync } from 'node:fs'

type Package = {
  version?: string
  dev?: boolean
  optional?: boolean
  engines?: unknown
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> }
const { packages } = lock
const platform = /-(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(gnu|musl)?[a-z]*)?$/

for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  if (path === '') continue
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const [, os, cpu, libc] = platform.exec(name) ?? []
    if (os === undefined || cpu === undefined || isNamed(path, name)) continue
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev && { dev }),
      ...(os === 'linux' && libc && { libc: [libc === 'musl' ? 'musl' : 'glibc'] }),
      optional: true,
      os: [os],
    }
  }
}

for (const [path, found] of Object.entries(packages)) if (path !== '') delete found.engines

const sorted = Object.keys(packages).sort((a, b) => a.localeCompare(b, 'en'))
lock.packages = Object.fromEntries(sorted.map((path) => [path, packages[path] ?? {}]))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)

/** As Node would find it from there: beside the package, or in any node_modules above it. */
function isNamed(from: string, name: string): boolean {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true
    if (base === '') return false
  }
}
