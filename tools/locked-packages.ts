/** What is wrong with the packages that a lockfile names: where they come from, their hashes, licences, install scripts. */

export type LockedPackage = {
  version?: string
  /** Present only when the package does not come from the registry: `.npmrc` leaves the registry's addresses out. */
  resolved?: string
  integrity?: string
  license?: string
  name?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
}

export type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides?: Record<string, string>
  /** npm's own list: whether the install script of a package runs. */
  allowScripts?: Record<string, boolean>
}

/** What was reviewed, with the reason. */
export type Review = {
  licences: string[]
  /** For packages that are never part of a running service. */
  developmentLicences: string[]
  /** By package. */
  installScripts: Record<string, string>
  /** Optional packages of other platforms, for development, by the beginning of their names. */
  withoutHash: Record<string, string>
}

type Lock = { packages: Record<string, LockedPackage> }

const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/

export function findFaults(lock: Lock, manifest: Manifest, review: Review): string[] {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  return [
    ...packages.flatMap(([path, found]) => {
      const name = path.replace(/^.*node_modules\//, '')
      const reasons = [...sourceFaults(path, found), ...contentFaults(name, found, manifest, review)]
      return reasons.map((reason) => `${name}: ${reason}`)
    }),
    ...manifestFaults(manifest),
    ...staleReviews(packages, review),
  ]
}

function sourceFaults(
  path: string,
  { version = '', resolved, link, inBundle, name }: LockedPackage,
): string[] {
  return [
    ...(link || !path.includes('node_modules/') ? ['is a folder outside node_modules'] : []),
    ...(resolved === undefined ? [] : [`comes from ${resolved}, not from the registry`]),
    ...(exactVersion.test(version) ? [] : [`has no exact version: ${version}`]),
    ...(inBundle ? ['is bundled in another package, without a hash of its own'] : []),
    ...(name === undefined ? [] : [`is really ${name}`]),
  ]
}

function contentFaults(name: string, found: LockedPackage, manifest: Manifest, review: Review): string[] {
  const isTool = found.dev === true
  const isExempt =
    isTool && isForeign(found) && Object.keys(review.withoutHash).some((start) => name.startsWith(start))
  const licences = isTool ? [...review.licences, ...review.developmentLicences] : review.licences
  const isReviewed =
    Object.hasOwn(review.installScripts, name) && Object.hasOwn(manifest.allowScripts ?? {}, name)
  return [
    ...(isExempt || sha512.test(found.integrity ?? '') ? [] : ['has no sha512 hash']),
    ...(isExempt || isLicensed(found.license, licences) ? [] : [`has the licence ${found.license}`]),
    ...(found.hasInstallScript && !isReviewed ? ['has an install script that nobody reviewed'] : []),
  ]
}

/** Never installed on Linux, where the service runs and is tested, unless with another libc or processor. */
const isForeign = ({ optional, os, integrity }: LockedPackage) =>
  optional === true && os !== undefined && integrity === undefined

/** An SPDX expression: of `A OR B` one is enough, of `A AND B` both are needed. */
function isLicensed(expression: string | undefined, allowed: string[]): boolean {
  if (!expression) return false
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())))
}

function manifestFaults({
  dependencies,
  devDependencies,
  optionalDependencies,
  overrides,
}: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
    .filter(([, version]) => !exactVersion.test(version))
    .map(([name, version]) => `package.json: ${name} is not an exact version of the registry: ${version}`)
}

/** A review of what is no longer there would hide its return. */
function staleReviews(packages: [string, LockedPackage][], review: Review): string[] {
  const scripts = packages.filter(([, found]) => found.hasInstallScript).map(([path]) => path)
  const hashless = packages.filter(([, found]) => found.integrity === undefined).map(([path]) => path)
  return [
    ...Object.keys(review.installScripts).filter(
      (name) => !scripts.some((path) => path.endsWith(`/${name}`)),
    ),
    ...Object.keys(review.withoutHash).filter(
      (start) => !hashless.some((path) => path.includes(`/${start}`)),
    ),
  ].map((name) => `${name}: is reviewed, but there is no such package`)
}
