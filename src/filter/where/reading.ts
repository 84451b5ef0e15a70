/** The state of parsing one filter: its settings, and how many conditions it may still have. */
import { refuseParameter } from '../../contract/errors.ts'
import type { Fields } from '../fields.ts'
import { limits } from '../limits.ts'
import { oneTooMany } from './texts.ts'

export type Reading = {
  fields: Fields
  timeZone: string
  /** The bracket form, which writes every value as text. */
  textual: boolean
  left: { conditions: number; regexps: number }
}

export function startReading(fields: Fields, timeZone: string, textual: boolean): Reading {
  return { fields, timeZone, textual, left: { conditions: limits.conditions, regexps: limits.regexps } }
}

export function spend(reading: Reading, what: keyof Reading['left'], path: string) {
  if (reading.left[what]-- > 0) return
  throw refuseParameter(path, oneTooMany(what, limits[what]))
}
