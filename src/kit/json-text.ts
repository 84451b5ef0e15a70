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
  let value: string[] | undefined
  let before = ''
  for (const one of jsonTokens(object)) {
    const closes = one === '}' || one === ']'
    if (value && depth === 1 && (one === ',' || closes)) {
      found = value.join('')
      value = undefined
    }
    if (closes) depth -= 1
    value?.push(one)
    if (depth === 1 && one === ':' && !value) {
      key = before
      if (isNamed(key, name)) value = []
    }
    if (one === '{' || one === '[') depth += 1
    before = one
  }
  return found
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
