/** Addresses in From, To, Contact and Route: `"Ana" <sip:ana@example.com>;tag=1`. */
import { malformed } from '../refusal.ts'
import { formatParams, noParams, type Params, readParams } from '../syntax/params.ts'
import { closingQuote, quote, unquote } from '../syntax/quoted.ts'
import { closingBracket, splitOutside } from '../syntax/split.ts'
import { isToken, trimBlanks } from '../syntax/token.ts'
import { parseUri } from '../uri/parse.ts'
import { formatUri, type Uri } from '../uri/uri.ts'

export type Address = { name: string | undefined; uri: Uri; params: Params }

export function parseAddress(text: string): Address {
  const open = openingBracket(text)
  if (open < 0) return parseBare(text)
  const close = closingBracket(text, open)
  const [before, ...params] = splitOutside(text.slice(close + 1), ';')
  if (before !== '') throw malformed('Text after an address')
  return {
    name: readName(trimBlanks(text.slice(0, open))),
    uri: parseUri(text.slice(open + 1, close)),
    params: readParams(params),
  }
}

function openingBracket(text: string): number {
  const from = text.startsWith('"') ? closingQuote(text, 0) : 0
  return text.indexOf('<', from)
}

/** Without angle brackets, parameters after `;` belong to the header and not to the URI; a `?` needs brackets. */
function parseBare(text: string): Address {
  const [uri = '', ...params] = splitOutside(text, ';')
  if (/[?,]/.test(uri)) throw malformed('Address without its angle brackets')
  return { name: undefined, uri: parseUri(uri), params: readParams(params) }
}

/** Tokens or a quoted string. Letters beyond ASCII are accepted: phones send them unquoted. */
function readName(text: string): string | undefined {
  if (text === '') return undefined
  if (text.startsWith('"')) return unquote(text)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the bounds of ASCII
  const words = text.split(/[ \t]+/).map((word) => word.replace(/[^\u0000-\u007f]/g, 'a'))
  if (!words.every(isToken)) throw malformed('Malformed display name')
  return text
}

export function formatAddress({ name, uri, params }: Partial<Address> & { uri: Uri }): string {
  const shown = name === undefined || name === '' ? '' : `${quote(name)} `
  return `${shown}<${formatUri(uri)}>${formatParams(params ?? noParams)}`
}

/** The tag identifies one side of a dialog. */
export function tagOf(address: Address): string | undefined {
  return address.params.get('tag') || undefined
}
