/** What an operator of an older version would notice: settings, the command line, and migrations of the database. */
import type { Accepted } from '../../src/config/readers.ts'

export type Settings = Record<string, { fallback: string; accepted?: Accepted }>

/** By verb: the commands and options that its help names. */
export type Commands = Record<string, string[]>

export type Migrations = Record<string, { checksum: string; breaking: boolean }>

export function findSettingChanges(was: Settings, is: Settings): string[] {
  return Object.entries(was).flatMap(([name, old]) => {
    const now = is[name]
    if (!now) return [`the setting ${name} is gone`]
    const default_ =
      now.fallback === old.fallback
        ? []
        : [`the default of ${name} is ${quoted(now.fallback)}, and was ${quoted(old.fallback)}`]
    return [...default_, ...narrower(name, old.accepted, now.accepted)]
  })
}

const quoted = (text: string) => (text === '' ? 'empty' : `"${text}"`)

function narrower(name: string, was: Accepted | undefined, is: Accepted | undefined): string[] {
  if (!is) return []
  if ('choices' in is) {
    if (!was || !('choices' in was)) return [`${name} takes certain values only`]
    const lost = was.choices.filter((choice) => !is.choices.includes(choice))
    return lost.map((choice) => `${name} no longer takes ${choice}`)
  }
  const isWithin = was && 'min' in was && is.min <= was.min && is.max >= was.max
  return isWithin ? [] : [`${name} takes less: ${is.min} to ${is.max}`]
}

export function findCommandChanges(was: Commands, is: Commands): string[] {
  return Object.entries(was).flatMap(([verb, words]) => {
    const now = is[verb]
    if (!now) return [`the verb ${verb} is gone`]
    return words.filter((word) => !now.includes(word)).map((word) => `${verb}: ${word} is gone from its help`)
  })
}

/** Databases and backups of a release name its migrations; older versions work beside those that came later (D226). */
export function findMigrationChanges(was: Migrations, is: Migrations): string[] {
  const changed = Object.entries(was).flatMap(([name, { checksum }]) => {
    if (!is[name]) return [`the migration ${name} is gone`]
    return is[name].checksum === checksum ? [] : [`the migration ${name} was changed`]
  })
  const breaking = Object.entries(is).filter(([name, migration]) => migration.breaking && !was[name])
  return [...changed, ...breaking.map(([name]) => `the migration ${name} ends downgrades`)]
}

/** `account create`, `--domain` and the like in the help of a verb. */
export function wordsOfHelp(usage: string): string[] {
  const text = usage.replaceAll('npm run ramal --', 'ramal')
  const commands = [...text.matchAll(/^(?:Usage:)? +ramal ((?:[a-z][a-z-]* ?)+)/gm)].map(([, words = '']) =>
    words.trim(),
  )
  const options = text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
  return [...new Set([...commands, ...options])].sort()
}
