/** The parameters of a list request: `page` or `cursor`, and `filter` in one of its two forms (D23). */
import { refuseParameter } from '../contract/errors.ts'
import { parseExactJson } from '../kit/text/json-text.ts'
import { readBrackets } from './brackets.ts'
import { limits } from './limits.ts'
import { queryTexts, tooLong } from './texts.ts'
import { isObject, type RawObject } from './where/raw.ts'

/** As the HTTP server parses it: decoded, a repeated name as an array. */
export type QueryString = Readonly<Record<string, string | string[] | undefined>>

export type ListParameters = {
  page: string | undefined
  cursor: string | undefined
  filter: RawObject
  /** The filter is in bracket form, in which every value is text. */
  textual: boolean
}

export function readQueryString(query: QueryString): ListParameters {
  let page: string | undefined
  let cursor: string | undefined
  let json: string | undefined
  const brackets: [string, string | string[]][] = []
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (name === 'page') page = once(name, value)
    else if (name === 'cursor') cursor = once(name, value)
    else if (name === 'filter') json = once(name, value)
    else if (name.startsWith('filter[')) brackets.push([name, value])
    else throw refuseParameter(name.slice(0, 80).toWellFormed(), queryTexts.unknownParameter)
  }
  if (brackets.length === 0) return { page, cursor, filter: readJson(json ?? ''), textual: false }
  if (json !== undefined) throw refuseParameter('filter', queryTexts.twoForms)
  checkLength(brackets.flat(2).join(''))
  return { page, cursor, filter: readBrackets(brackets), textual: true }
}

function once(name: string, value: string | string[]): string {
  if (Array.isArray(value)) throw refuseParameter(name, queryTexts.givenTwice)
  return value
}

function checkLength(text: string) {
  if (text.length > limits.filterLength) {
    throw refuseParameter('filter', tooLong(limits.filterLength))
  }
}

/** An empty filter, or `null`, has no conditions. */
function readJson(text: string): RawObject {
  checkLength(text)
  if (text === '' || text === 'null') return {}
  const filter = parseJson(text)
  if (!isObject(filter)) throw refuseParameter('filter', queryTexts.noJsonObject)
  return filter
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    throw refuseParameter('filter', queryTexts.noJson)
  }
}
