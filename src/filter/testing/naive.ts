/** The filter once more, in memory and as plainly as can be, to hold the SQL against. */
import { isStorableNumber } from '../../kit/text/json-text.ts'
import type { Json, Thing } from './things.ts'

export type RawFilter = {
  where?: Record<string, unknown>
  order?: string
  limit?: number
  offset?: number
}

export function naiveList(things: readonly Thing[], account: number, filter: RawFilter): string[] {
  const { order = 'size DESC', limit = 1000, offset = 0 } = filter
  return things
    .filter((thing) => thing.account === account && holds(thing, filter.where ?? {}))
    .sort(inOrder(order))
    .slice(offset, offset + limit)
    .map(({ id }) => id)
}

function holds(thing: Thing, where: Record<string, unknown>): boolean {
  return Object.entries(where).every(([key, value]) => {
    if (key === 'and') return (value as Record<string, unknown>[]).every((part) => holds(thing, part))
    if (key === 'or') return (value as Record<string, unknown>[]).some((part) => holds(thing, part))
    const operators = typeof value === 'object' && value !== null ? value : { eq: value }
    return Object.entries(operators).every(([name, operand]) => passes(thing, key, name, operand))
  })
}

function passes(thing: Thing, field: string, operator: string, operand: unknown): boolean {
  const value = fieldOf(thing, field)
  if (field === 'madeAt') return passesTime(value as number | null, operator, operand)
  const operands = [operand].flat().map((one) => meant(field, one))
  const [first = null, second = null] = operands
  const after = (bound: Json) => comparable(value, bound) && compare(value, bound) > 0
  const before = (bound: Json) => comparable(value, bound) && compare(value, bound) < 0
  const at = (bound: Json) => comparable(value, bound) && compare(value, bound) === 0
  const text = textOf(value)
  switch (operator) {
    case 'eq':
    case 'inq':
      return operands.some((one) => same(field, value, one))
    case 'neq':
    case 'nin':
      return !operands.some((one) => same(field, value, one))
    case 'gt':
      return after(first)
    case 'gte':
      return after(first) || at(first)
    case 'lt':
      return before(first)
    case 'lte':
      return before(first) || at(first)
    case 'between':
      return (after(first) || at(first)) && (before(second) || at(second))
    case 'like':
      return text !== null && likeExpression(String(operand), '').test(text)
    case 'nlike':
      return text === null || !likeExpression(String(operand), '').test(text)
    case 'ilike':
      return text !== null && likeExpression(String(operand), 'i').test(text)
    case 'nilike':
      return text === null || !likeExpression(String(operand), 'i').test(text)
    case 'regexp':
      return text !== null && new RegExp(String(operand), 'u').test(text)
    default:
      throw new Error(`no operator ${operator}`)
  }
}

function fieldOf(thing: Thing, field: string): Json {
  const [head = '', ...keys] = field.split('.')
  if (head === 'madeAt') return thing.made_at === null ? null : Date.parse(thing.made_at)
  let value: Json | undefined = thing[(head === 'alias' ? 'name' : head) as keyof Thing]
  for (const key of keys) {
    const inside: boolean = typeof value === 'object' && value !== null && !Array.isArray(value)
    value = inside && Object.hasOwn(value as object, key) ? (value as Record<string, Json>)[key] : null
  }
  return value ?? null
}

/** The account of the tests lives in São Paulo, three hours behind UTC. Milliseconds are its finest times. */
function spanOf(operand: string): [from: number, until: number] {
  const day = operand.length === 10
  const local = day ? `${operand}T00:00:00` : operand
  const from = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(local) ? local : `${local.replace(' ', 'T')}-03:00`)
  return [from, from + (day ? 86_400_000 : operand.includes('.') ? 1 : 1000)]
}

/** Times compare as the spans they stand for. */
function passesTime(value: number | null, operator: string, operand: unknown): boolean {
  const within = (one: unknown) => {
    if (one === null || value === null) return one === value
    const [from, until] = spanOf(String(one))
    return value >= from && value < until
  }
  const one = [operand].flat().some(within)
  if (operator === 'eq' || operator === 'inq') return one
  if (operator === 'neq' || operator === 'nin') return !one
  if (value === null) return false
  const [[from, until] = [0, 0], [, last] = [0, 0]] = [operand].flat().map((time) => spanOf(String(time)))
  const holds: Record<string, boolean> = {
    gt: value >= until,
    gte: value >= from,
    lt: value < from,
    lte: value < until,
    between: value >= from && value < last,
  }
  return holds[operator] ?? false
}

function meant(field: string, operand: unknown): Json {
  if (operand === null) return null
  if (field === 'price') return Math.round(Number(operand) * 100)
  if (field === 'email') return String(operand).toLowerCase()
  return field === 'name' || field === 'alias' ? String(operand) : (operand as Json)
}

function textOf(value: Json): string | null {
  return value === null || typeof value === 'object' ? null : String(value)
}

function same(field: string, value: Json, operand: Json): boolean {
  if (value === null || operand === null) return value === operand
  if (!field.startsWith('metadata.')) return value === operand
  if (typeof value === 'number' && isStorableNumber(String(operand))) return value === Number(operand)
  return textOf(value) === String(operand)
}

function comparable(a: Json, b: Json): boolean {
  return a !== null && typeof a === typeof b && typeof a !== 'object'
}

function compare(a: Json, b: Json): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return Number(a) - Number(b)
}

function likeExpression(pattern: string, flags: string): RegExp {
  const parts = [...pattern.matchAll(/\\(.)|(.)/gsu)]
  const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const source = parts.map(([, escaped, plain = '']) => {
    if (escaped !== undefined) return quote(escaped)
    return plain === '%' ? '[^]*' : plain === '_' ? '[^]' : quote(plain)
  })
  const wild = parts.some(([, , plain = '']) => plain === '%' || plain === '_')
  return new RegExp(wild ? `^${source.join('')}$` : source.join(''), `u${flags}`)
}

function inOrder(order: string) {
  const keys = order.split(',').map((key) => key.trim().split(/\s+/))
  const lastDown = keys.at(-1)?.[1] === 'DESC'
  return (a: Thing, b: Thing): number => {
    for (const [field = '', direction] of [...keys, ['id', lastDown ? 'DESC' : 'ASC']]) {
      const [x, y] = [ranked(fieldOf(a, field)), ranked(fieldOf(b, field))]
      const difference = x.rank - y.rank || (x.rank === 0 ? 0 : compare(x.value, y.value))
      if (difference !== 0) return direction === 'DESC' ? -difference : difference
    }
    return 0
  }
}

/** Nulls and what has no text come first, then texts, then numbers. */
function ranked(value: Json): { rank: number; value: Json } {
  const text = textOf(value)
  if (text === null) return { rank: 0, value: null }
  return typeof value === 'number' ? { rank: 2, value } : { rank: 1, value: text }
}
