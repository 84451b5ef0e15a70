/** Checks on the raw input of a filter. */
import { refuseParameter } from '../../contract/errors.ts'
import { rawNumber } from '../../kit/text/json-text.ts'
import { texts } from './texts.ts'

/** PostgreSQL can store neither NUL nor a lone surrogate. */
export function checkText(text: string, path: string) {
  if (text.includes('\0')) throw refuseParameter(path, texts.hasNul)
  if (!text.isWellFormed()) throw refuseParameter(path, texts.malformedUnicode)
}

const maxNameLength = 60

/** The path of a key in the input, shortened for error messages. */
export function below(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const name = key.length > maxNameLength ? `${key.slice(0, maxNameLength)}…` : key
  return `${path}.${name.toWellFormed()}`
}

export type RawObject = { readonly [key: string]: unknown }

export function isObject(raw: unknown): raw is RawObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && rawNumber(raw) === undefined
}
