/** Values as strangers send them, from a seed: of the wrong type, too large, too deep, half a character. */
import type { Schema } from '../../../src/http/reference/document.ts'
import type { SeededRandom } from '../crash/seeded-random.ts'

/** JSON text that JSON.stringify would not write. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const numbers = (
  '0 -0 1 -1 1.5 0.1 1e3 2147483647 2147483648 -2147483649 4294967296 9007199254740992 9223372036854775807 ' +
  `9223372036854775808 -9223372036854775809 1e308 1e309 -1e999 1e-999 ${'9'.repeat(400)} 0.${'3'.repeat(300)}`
).split(' ')
const brokenJson = [
  'NaN',
  'Infinity',
  'undefined',
  '01',
  '+1',
  '1.',
  "'a'",
  '{a:1}',
  '[1,]',
  '"\\x"',
  '"\t"',
  '',
]
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0000',
  '\r\n',
  '\ud800',
  '\udc00\ud800',
  '\u202e',
  '\ufeff',
  'ﷺ'.repeat(50),
  '👩‍👩‍👧‍👦',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚',
  'ÀÉÎõü',
  'null',
  'true',
  '[]',
  '{}',
  '-1',
  '1e9',
  '٣',
  '0x10',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '"; drop table users; --',
  '$1',
  '\\',
  '%',
  '%_%',
  '%00',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '5548999998888',
  '+55 48 3333-4444',
  '+',
  '999999999999999999999999',
  'a@b',
  'ana@example.com',
  `${'a'.repeat(300)}@example.com`,
  '"quoted"@example.com',
  'ana@exämple.com',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13',
  '2026-11-15T12:00:00Z',
  'http://[::1]/',
  'http://169.254.169.254/latest',
  'https://a'.padEnd(3000, 'b'),
  'file:///etc/passwd',
  'x'.repeat(256),
]
const keys = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'metadata',
  'a.b',
  '',
  ' ',
  '\0',
  'é',
  'k'.repeat(300),
]

export function createHostileValues(random: SeededRandom) {
  const { below, pick, next } = random
  const chance = (share: number) => next() < share
  const any = (items: readonly string[]) => pick(items) ?? ''

  const text = () => (chance(0.002) ? 'x'.repeat(70_000) : any(texts))
  const key = () => any(keys)

  function scalar(): unknown {
    const kind = below(10)
    if (kind < 4) return text()
    if (kind < 7) return new RawJson(any(numbers))
    if (kind === 7) return new RawJson(any(brokenJson))
    return pick([true, false, null])
  }

  function deep(): RawJson {
    const depth = chance(0.05) ? 20_000 : (pick([5, 50, 500]) ?? 5)
    const [open, close] = chance(0.5) ? ['[', ']'] : ['{"a":', '}']
    return new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`)
  }

  function value(): unknown {
    const kind = below(10)
    if (kind < 7) return scalar()
    if (kind === 7) return deep()
    if (kind === 8)
      return chance(0.1) ? Array(2_000).fill(below(9)) : Array.from({ length: below(4) }, scalar)
    return Object.fromEntries(Array.from({ length: below(4) }, () => [key(), scalar()]))
  }

  /** What a schema accepts, as far as it says. */
  function fitting(schema: Schema | undefined): unknown {
    if (!schema) return value()
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return fitting(pick(schema.anyOf))
    if (schema.examples && chance(0.7)) return pick(schema.examples)
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type
    if (type === 'object') return object(schema)
    if (type === 'array') return Array.from({ length: below(4) }, () => fitting(schema.items))
    if (type === 'boolean') return chance(0.5)
    if (type === 'null') return null
    if (type === 'integer' || type === 'number') return number(schema)
    return type === 'string' ? ofLength(schema) : value()
  }

  function object({ properties = {}, required = [] }: Schema): unknown {
    const kept = Object.entries(properties).filter(([name]) => required.includes(name) || chance(0.6))
    return Object.fromEntries(kept.map(([name, part]) => [name, fitting(part)]))
  }

  /** At the bounds, or just beyond them. */
  function number({ minimum = -5, maximum = 50_000 }: Schema): number {
    return pick([minimum, maximum, minimum - 1, maximum + 1, minimum + below(maximum - minimum)]) ?? 0
  }

  function ofLength({ minLength = 0, maxLength = 40 }: Schema): string {
    const length = pick([minLength, maxLength, maxLength + 1, Math.max(0, minLength - 1)]) ?? 1
    return any(['a', '1', 'é', '👍', ' ']).repeat(Math.min(length, 5_000))
  }

  return { chance, any, text, key, value, fitting, numberText: () => any(numbers) }
}

/** JSON text, with what is raw as it is. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, part]) => `${JSON.stringify(name)}:${writeJson(part)}`)
      .join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
