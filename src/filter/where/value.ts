/** A value of a filter, checked against its field and written as PostgreSQL reads it. */
import { refuseParameter } from '../../contract/errors.ts'
import { isUuid } from '../../kit/ids.ts'
import { rawNumber } from '../../kit/text/json-text.ts'
import type { Field } from '../fields.ts'
import { readTime } from './instant.ts'
import { checkText } from './raw.ts'
import { noChoice, texts, tooManyDecimals } from './texts.ts'

export function readValue(field: Field, raw: unknown, path: string, timeZone: string): string {
  switch (field.kind) {
    case 'text':
      return spelled(field, readText(raw, path))
    case 'json':
      if (typeof raw === 'object' && raw !== null && rawNumber(raw) === undefined) {
        throw refuseParameter(path, texts.noScalar)
      }
      return readText(raw, path)
    case 'choice':
      return readChoice(field.choices, raw, path)
    case 'uuid':
      if (typeof raw === 'string' && isUuid(raw)) return raw.toLowerCase()
      throw refuseParameter(path, texts.noUuid)
    case 'boolean':
      return readBoolean(raw, path)
    case 'instant':
      return readTime(raw, path, timeZone).from
    case 'integer':
      return readDecimal(0, raw, path)
    case 'decimal':
      return readDecimal(field.scale, raw, path)
  }
}

function spelled({ lowercase, reads }: Extract<Field, { kind: 'text' }>, text: string): string {
  const read = reads ? reads(text) : text
  return lowercase ? read.toLowerCase() : read
}

/** Numbers and booleans stand for their text: an extension may be sent as 1000 or "1000". */
export function readText(raw: unknown, path: string): string {
  const exact = rawNumber(raw)
  if (exact !== undefined) return exact
  if (typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw))) return String(raw)
  if (typeof raw !== 'string') throw refuseParameter(path, texts.noText)
  checkText(raw, path)
  return raw
}

/** Records write some booleans as 0 and 1 (D72: gravar_audio). */
function readBoolean(raw: unknown, path: string): string {
  if ([true, 1, 'true', '1'].includes(raw as string)) return 'true'
  if ([false, 0, 'false', '0'].includes(raw as string)) return 'false'
  throw refuseParameter(path, texts.noBoolean)
}

function readChoice(choices: readonly string[], raw: unknown, path: string): string {
  if (typeof raw === 'string' && choices.includes(raw)) return raw
  throw refuseParameter(path, noChoice(choices))
}

const decimalShape = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/
const largestBigint = 2n ** 63n - 1n

/** A number as a whole number of 10^-scale: 12.5 at scale 2 is 1250. */
function readDecimal(scale: number, given: unknown, path: string): string {
  const raw = rawNumber(given) ?? given
  if (typeof raw === 'number' && Math.abs(raw) > Number.MAX_SAFE_INTEGER) {
    throw refuseParameter(path, texts.outOfRange)
  }
  if (typeof raw !== 'number' && typeof raw !== 'string') throw refuseParameter(path, texts.noNumber)
  const [shape, sign, whole = '', written = ''] = decimalShape.exec(spellOut(raw)) ?? []
  if (shape === undefined) throw refuseParameter(path, texts.noNumber)

  const fraction = written.replace(/0+$/, '')
  if (fraction.length > scale) {
    throw refuseParameter(path, scale === 0 ? texts.noWholeNumber : tooManyDecimals(scale))
  }
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  if (units > largestBigint) throw refuseParameter(path, texts.outOfRange)
  return `${sign}${units}`
}

/** JavaScript writes 0.0000001 as 1e-7. */
function spellOut(raw: number | string): string {
  if (typeof raw === 'string') return raw
  const text = String(raw)
  return text.includes('e') ? raw.toFixed(30) : text
}
