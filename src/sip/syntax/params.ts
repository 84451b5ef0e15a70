/** Parameters behind a value: `;tag=abc;lr;text="Busy here"`. */
import { malformed } from '../refusal.ts'
import { quote, unquote } from './quoted.ts'
import { isToken, trimBlanks } from './token.ts'

/** By lower-case name; a parameter without a value has the empty string. */
export type Params = ReadonlyMap<string, string>

export const noParams: Params = new Map()

/** Wider than the grammar: addresses and base64 occur without quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const bareValue = /^[^\u0000-\u0020\u007f"<>,;]+$/

/** A repeated parameter is rejected: it is undefined which value counts. */
export function readParams(parts: readonly string[]): Params {
  if (parts.length === 0) return noParams
  const params = new Map<string, string>()
  for (const part of parts) {
    const [name, value] = readParam(part)
    if (params.has(name)) throw malformed(`Parameter ${name.slice(0, 40)} given twice`)
    params.set(name, value)
  }
  return params
}

function readParam(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  const name = trimBlanks(equals < 0 ? part : part.slice(0, equals)).toLowerCase()
  if (!isToken(name)) throw malformed('Parameter without a proper name')
  if (equals < 0) return [name, '']
  const value = trimBlanks(part.slice(equals + 1))
  if (value.startsWith('"')) return [name, unquote(value)]
  if (!bareValue.test(value)) throw malformed(`Parameter ${name.slice(0, 40)} has a malformed value`)
  return [name, value]
}

export function formatParams(params: Params): string {
  let text = ''
  for (const [name, value] of params) {
    text += `;${name}`
    if (value !== '') text += `=${bareValue.test(value) ? value : quote(value)}`
  }
  return text
}
