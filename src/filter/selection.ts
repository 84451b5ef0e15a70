/** `filter.fields`: which properties of a row the answer shows. */
import { refuseParameter } from '../contract/errors.ts'
import type { List } from './list.ts'
import { selectionTexts, shared } from './texts.ts'
import { below, isObject } from './where/raw.ts'

type Shown = Pick<List, 'shows' | 'showsIfNamed'>

/** The names to keep; undefined keeps all. */
export type Selection = ReadonlySet<string> | undefined

/** An array of names, or name → boolean: any true keeps only those, else the false ones are left out. */
export function readSelection({ shows, showsIfNamed = [] }: Shown, raw: unknown, path: string): Selection {
  const known = [...shows, ...showsIfNamed]
  const choices = Array.isArray(raw) ? readNames(raw, path) : readSwitches(raw, path)
  if (choices.size === 0) return undefined
  for (const name of choices.keys()) {
    if (!known.includes(name)) throw refuseParameter(below(path, name), shared.unknownField)
  }
  const any = [...choices.values()].includes(true)
  return new Set(any ? known.filter((name) => choices.get(name)) : shows.filter((name) => !choices.has(name)))
}

function readNames(raw: readonly unknown[], path: string): Map<string, boolean> {
  const choices = new Map<string, boolean>()
  for (const [index, name] of raw.entries()) {
    if (typeof name !== 'string') throw refuseParameter(below(path, index), selectionTexts.noName)
    if (choices.has(name)) throw refuseParameter(below(path, name), selectionTexts.namedTwice)
    choices.set(name, true)
  }
  return choices
}

function readSwitches(raw: unknown, path: string): Map<string, boolean> {
  if (!isObject(raw)) throw refuseParameter(path, selectionTexts.noFields)
  return new Map(
    Object.entries(raw).map(([name, value]) => {
      if (value === true || value === 'true') return [name, true]
      if (value === false || value === 'false') return [name, false]
      throw refuseParameter(below(path, name), selectionTexts.noBoolean)
    }),
  )
}

export function pickFields<Row extends object>(selection: Selection, row: Row): Partial<Row> {
  if (!selection) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => selection.has(name))) as Partial<Row>
}
