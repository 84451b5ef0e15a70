/** Finds the field that a name in a filter refers to. */
import { refuseParameter } from '../../contract/errors.ts'
import type { Field, Fields } from '../fields.ts'
import { limits } from '../limits.ts'
import { checkText } from './raw.ts'
import { needsKey, texts, tooManyKeys } from './texts.ts'

/** A column, or what lies at `keys` inside a json column. */
export type Target = { field: Field; keys: readonly string[] }

export function findTarget(fields: Fields, name: string, path: string): Target {
  const field = fields.get(name)
  if (field?.kind === 'json') throw refuseParameter(path, needsKey(name))
  if (field) return { field, keys: [] }

  const [head = '', ...keys] = name.split('.')
  const document = fields.get(head)
  if (document?.kind !== 'json' || keys.length === 0) throw refuseParameter(path, texts.unknownField)
  return { field: document, keys: checkKeys(keys, path) }
}

export function checkKeys(keys: readonly string[], path: string): readonly string[] {
  if (keys.length > limits.pathKeys) throw refuseParameter(path, tooManyKeys(limits.pathKeys))
  for (const key of keys) {
    if (key === '') throw refuseParameter(path, texts.emptyKey)
    checkText(key, path)
  }
  return keys
}
