/** The interfaces of released versions, kept in docs/released (D537), and those of this one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { verbs } from '../../src/cli/verbs.ts'
import { settings } from '../../src/config/settings.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { breakingMark, readMigrations } from '../../src/store/migrate.ts'
import { findApiChanges } from './api-changes.ts'
import {
  type Commands,
  findCommandChanges,
  findMigrationChanges,
  findSettingChanges,
  type Migrations,
  type Settings,
  wordsOfHelp,
} from './operator-changes.ts'
import { reviewedChanges } from './reviewed.ts'

/** What clients and operators rely on. */
export type Interface = {
  openapi: ApiDocument
  settings: Settings
  commands: Commands
  migrations: Migrations
}

export const releases = new URL('../../docs/released/', import.meta.url)
const parts = ['openapi', 'settings', 'commands', 'migrations'] as const

/** Of the version that runs and describes itself so. */
export async function interfaceOf(openapi: ApiDocument): Promise<Interface> {
  const loaded = Object.entries(verbs).map(async ([verb, { load }]) => [verb, (await load()).usage] as const)
  const usages = await Promise.all(loaded)
  const migrations = await readMigrations()
  return {
    // Where it ran when it was asked is no part of it.
    openapi: { ...openapi, servers: [{ url: '/api/v1' }] },
    settings: Object.fromEntries(
      Object.entries(settings).map(([name, { fallback, read }]) => [
        name,
        { fallback, ...(read.accepted && { accepted: read.accepted }) },
      ]),
    ),
    commands: Object.fromEntries(usages.map(([verb, usage]) => [verb, wordsOfHelp(usage)])),
    migrations: Object.fromEntries(
      migrations.map(({ name, checksum, text }) => [
        name,
        { checksum, breaking: text.startsWith(breakingMark) },
      ]),
    ),
  }
}

/** Sentences on what breaks for those who used the older one. */
function compareInterfaces(was: Interface, is: Interface): string[] {
  return [
    ...findApiChanges(was.openapi, is.openapi),
    ...findSettingChanges(was.settings, is.settings),
    ...findCommandChanges(was.commands, is.commands),
    ...findMigrationChanges(was.migrations, is.migrations),
  ]
}

/** Since the last release of the same major version; the first release of a major version may break anything. */
export function findBreakingChanges(found: Interface, version: string) {
  const [major] = version.split('.')
  const since = releasedVersions().findLast((one) => one.split('.')[0] === major)
  const reported = since === undefined ? [] : compareInterfaces(readReleased(since), found)
  return {
    since,
    changes: reported.filter((change) => !Object.hasOwn(reviewedChanges, change)),
    /** Reviews of changes that are not there any more. */
    stale: Object.keys(reviewedChanges).filter((change) => !reported.includes(change)),
  }
}

export function releasedVersions(): string[] {
  const found = existsSync(releases) ? readdirSync(releases) : []
  return sortVersions(found.filter((name) => /^\d+\.\d+\.\d+$/.test(name)))
}

/** Newest last. */
export function sortVersions(versions: string[]): string[] {
  const numbers = (version: string) => version.split('.').map((part) => part.padStart(6, '0'))
  return versions.toSorted((one, other) => numbers(one).join().localeCompare(numbers(other).join()))
}

function readReleased(version: string): Interface {
  const read = (part: string) =>
    JSON.parse(readFileSync(new URL(`${version}/${part}.json`, releases), 'utf8'))
  return {
    openapi: read('openapi'),
    settings: read('settings'),
    commands: read('commands'),
    migrations: read('migrations'),
  }
}

export function writeReleased(version: string, found: Interface) {
  const folder = new URL(`${version}/`, releases)
  mkdirSync(folder, { recursive: true })
  for (const part of parts)
    writeFileSync(new URL(`${part}.json`, folder), `${JSON.stringify(found[part], null, 1)}\n`)
}
