/** JSON as text: what clients send is passed on with every digit, which numbers of JavaScript do not hold. */

const string = /"[^"\\]*(?:\\.[^"\\]*)*"/.source
const token = new RegExp(`${string}|[{}[\\],:]|[^\\s{}[\\],:"]+`, 'gs')

/** The tokens of a JSON text: strings, punctuation, and words such as `-1.0` or `true`. */
export function jsonTokens(text: string): string[] {
  return text.match(token) ?? []
}

/** The text of a member of an object, without whitespace between its tokens. Of members with one name the last counts. */
export function memberText(object: string, name: string): string | undefined {
  let found: string | undefined
  let depth = 0
  let key = ''
  let start = 0
  let spaced = false
  // By character codes: it runs for every call that is placed.
  for (let at = 0; at < object.length; at += 1) {
    const code = object.charCodeAt(at)
    if (code === codes.quote) {
      const end = endOfString(object, at)
      if (depth === 1 && start === 0) key = object.slice(at, end)
      at = end - 1
    } else if (code === codes.brace || code === codes.bracket) {
      depth += 1
    } else if (code === codes.colon) {
      if (depth === 1) start = at + 1
    } else if (code === codes.comma || code === codes.endBrace || code === codes.endBracket) {
      if (depth === 1 && start > 0) {
        if (isNamed(key, name)) found = spaced ? compact(object.slice(start, at)) : object.slice(start, at)
        start = 0
      }
      if (code !== codes.comma) depth -= 1
    } else if (code <= codes.space) {
      spaced = true
    }
  }
  return found
}

/** The texts of the elements of an array. */
export function elementTexts(array: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < array.length; at += 1) {
    const code = array.charCodeAt(at)
    if (code === codes.quote) at = endOfString(array, at) - 1
    else if (code === codes.brace || code === codes.bracket) {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (code === codes.comma) {
      if (depth === 1) {
        found.push(array.slice(start, at).trim())
        start = at + 1
      }
    } else if (code === codes.endBrace || code === codes.endBracket) {
      depth -= 1
      if (depth === 0) found.push(array.slice(start, at).trim())
    }
  }
  return found.length === 1 && found[0] === '' ? [] : found
}

function compact(text: string): string {
  return jsonTokens(text).join('')
}

const codes = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  backslash: 0x5c,
  brace: 0x7b,
  endBrace: 0x7d,
  bracket: 0x5b,
  endBracket: 0x5d,
} as const

/** How deep a JSON text is nested; stops counting beyond `most`. */
export function jsonDepth(text: string, most: number): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length && deepest <= most; at += 1) {
    const code = text.charCodeAt(at)
    if (code === codes.quote) at = endOfString(text, at) - 1
    else if (code === codes.brace || code === codes.bracket) deepest = Math.max(deepest, ++depth)
    else if (code === codes.endBrace || code === codes.endBracket) depth -= 1
  }
  return deepest
}

/** Where the string ends that begins here. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === codes.quote) break
    at += code === codes.backslash ? 2 : 1
  }
  return at + 1
}

/** A key may be written with escapes. */
function isNamed(key: string, name: string): boolean {
  return key === `"${name}"` || (key.includes('\\') && JSON.parse(key) === name)
}

/** Puts a member at the end of an object that has some. */
export function appendMember(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},${JSON.stringify(name)}:${value}}`
}

/** A JSON number that JavaScript would change, kept as text; `JSON.stringify` writes it as it is. */
type RawNumber = { readonly rawJSON: string }

type ExactJson = {
  parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  rawJSON: (text: string) => RawNumber
  isRawJSON: (value: unknown) => value is RawNumber
}
/** Not in the type definitions yet. */
const exact = JSON as unknown as ExactJson

/** Only a number of at least 16 digits, or one with an exponent, is ever changed. */
const mayChange = /\d[\d.]{15}|\d[eE]/

export function hasLongNumbers(text: string): boolean {
  return mayChange.test(text)
}

/** `JSON.parse`, in which numbers that JavaScript cannot hold to the digit stay texts. */
export function parseExactJson(text: string): unknown {
  if (!hasLongNumbers(text)) return JSON.parse(text)
  return exact.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !isSameNumber(source, String(value)) ? exact.rawJSON(source) : value,
  )
}

/** The text of a number that `parseExactJson` kept as text. */
export function rawNumber(value: unknown): string | undefined {
  return exact.isRawJSON(value) ? value.rawJSON : undefined
}

const number = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Compares by value: 1.0, 1 and 10e-1 are the same. */
function isSameNumber(one: string, other: string): boolean {
  return one === other || canonical(one) === canonical(other)
}

/** `digits` times ten to the power of `exponent`, without zeros at either end. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = number.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return text === 'Infinity' || text === '-Infinity' ? text : '0'
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`
}

/** PostgreSQL's numeric has 131,072 digits before the point and 16,383 after it. */
const maxWhole = 100_000
const maxFraction = 16_000

/** Whether a text is a JSON number that PostgreSQL can store. */
export function isStorableNumber(text: string): boolean {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return false
  const [, , whole = '', fraction = '', exponent = '0'] = number.exec(text) ?? []
  const power = Number(exponent)
  return whole.length + power <= maxWhole && fraction.length - power <= maxFraction
}

/** Only a number that says its exponent, or has thousands of digits, can be too large to store. */
const mayBeTooLarge = /\d[eE]|\d{8000}/

/** Whether a JSON text has a number that PostgreSQL cannot store. */
export function hasUnstorableNumbers(text: string): boolean {
  return (
    mayBeTooLarge.test(text) &&
    jsonTokens(text).some((token) => /^[-\d]/.test(token) && !isStorableNumber(token))
  )
}
