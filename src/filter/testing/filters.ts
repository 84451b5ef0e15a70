/** Random rows, and random filters that are in order. */
import fc from 'fast-check'
import type { RawFilter } from './naive.ts'
import { type Json, roles, type Thing } from './things.ts'

const signs = ['a', 'A', 'b', '1', ' ', "'", '"', '%', '_', '\\', '.', '*', '[', '$', '\n', 'ã', '中', '😀']
export const text = fc.string({ unit: fc.constantFrom(...signs), maxLength: 4 })
export const uuid = fc
  .integer({ min: 0, max: 99 })
  .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const size = fc.constantFrom(-1, 0, 1, 2, 10, 2147483647)
const price = fc.constantFrom(0, 0.01, 0.1, 12.5, 12.34, -3, 1e9)
export const day = fc.constantFrom('2026-01-01', '2026-02-28', '2026-11-15')
export const instant = fc.oneof(
  fc
    .tuple(day, fc.constantFrom('03:00:00Z', '23:59:59.999Z', '00:00:00.001Z'))
    .map((parts) => parts.join('T')),
  fc.constantFrom('2026-01-01T00:00:00-03:00', '2026-11-15T08:00:00+05:00'),
)
const local = fc
  .tuple(day, fc.constantFrom(' 00:00:00', 'T23:59:59', 'T20:59:59.999'))
  .map((parts) => parts.join(''))
export const scalar: fc.Arbitrary<string | number | boolean> = fc.oneof(
  text,
  fc.constantFrom(0, 1, -1, 1.5, 42, 100, 1e15),
  fc.constantFrom('42', '1.50', '1e2', '007', 'true', 'null'),
  fc.boolean(),
)
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', '0') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', "it's", '"', '😀') },
)
const empty = fc.constantFrom<Json>(null, null, [], {}, ['a'], [1, 'b'])

function objectOf(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))
}

const json = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: empty })
const document = fc.oneof(
  { weight: 8, arbitrary: objectOf(fc.oneof(json, json, fc.array(json, { maxLength: 2 }), objectOf(json))) },
  { weight: 1, arbitrary: json },
)

export const thing: fc.Arbitrary<Thing> = fc.record({
  account: fc.constantFrom(1, 2),
  id: uuid,
  name: fc.option(text),
  email: text.map((one) => one.toLowerCase()),
  size: fc.option(size),
  price: fc.option(price.map((reais) => Math.round(reais * 100))),
  made_at: fc.option(instant),
  ready: fc.option(fc.boolean()),
  role: fc.constantFrom(...roles),
  metadata: document,
})

export const things = fc.uniqueArray(thing, { minLength: 25, maxLength: 40, selector: ({ id }) => id })

export const path = fc
  .array(key, { minLength: 1, maxLength: 3 })
  .map((keys) => ['metadata', ...keys].join('.'))

function operators(value: fc.Arbitrary<unknown>, bound = value): fc.Arbitrary<Record<string, unknown>> {
  const nullable = fc.option(value, { freq: 8 })
  const list = fc.array(nullable, { maxLength: 4 })
  return fc.oneof(
    fc.tuple(fc.constantFrom('eq', 'neq'), nullable).map(pair),
    fc.tuple(fc.constantFrom('inq', 'nin'), list).map(pair),
    fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), bound).map(pair),
    fc
      .tuple(bound, bound)
      .map(([low, high]) => (typeof low === typeof high ? { between: [low, high] } : { gte: low })),
    fc.record({ gte: bound, lt: bound }),
  )
}

/** Own keys only: `{ [key]: value }` for any key at all. */
export function pair<T>([name, value]: [string, T]): Record<string, T> {
  return Object.fromEntries([[name, value]])
}

const piece = fc.constantFrom(...'a . \\d [ab] [^a] \\s A|b (1|ã) 😀 % a* .+? \\W{0,2} ^ $'.split(' '))
const expression = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''))
const patterns = fc.oneof(
  fc.tuple(fc.constantFrom('like', 'nlike', 'ilike', 'nilike'), text).map(pair),
  expression.map((regexp) => ({ regexp })),
)

function on(field: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, tests: fc.Arbitrary<unknown>) {
  return fc.tuple(field, fc.oneof(fc.option(value), tests)).map(pair)
}

const named = fc.constantFrom('name', 'alias', 'email')
const number = fc.constantFrom(-1, 0, 1.5, 42)
const columnTest = fc.oneof(
  on(named, text, fc.oneof(operators(fc.oneof(text, size)), patterns)),
  on(
    fc.constant('role'),
    fc.constantFrom(...roles),
    fc.oneof(operators(fc.constantFrom(...roles)), patterns),
  ),
  on(fc.constant('size'), size, operators(size)),
  on(fc.constant('price'), price, operators(price)),
  on(fc.constant('madeAt'), instant, operators(fc.oneof(instant, local, day))),
  on(fc.constant('ready'), fc.boolean(), operators(fc.boolean())),
  on(fc.constant('id'), fc.oneof(uuid, fc.constant('abc')), operators(uuid)),
)
const pathTest = on(path, scalar, fc.oneof(operators(scalar, fc.oneof(text, number)), patterns))
const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(columnTest, columnTest, pathTest)

const where = fc.letrec<{ where: Record<string, unknown> }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => ({ ...a, ...b })) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('where'), { maxLength: 3 })).map(pair),
    },
  ),
})).where

const sortable = fc.oneof(
  fc.constantFrom('id', 'name', 'email', 'size', 'price', 'madeAt', 'ready', 'role'),
  fc.constantFrom('metadata.a', 'metadata.a.b', 'metadata.0'),
)
const order = fc
  .uniqueArray(fc.tuple(sortable, fc.constantFrom('', ' ASC', ' DESC')), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .map((keys) => keys.map((parts) => parts.join('')).join(','))

export const filter: fc.Arbitrary<RawFilter> = fc.record(
  { where, order, limit: fc.integer({ min: 1, max: 20 }), offset: fc.nat({ max: 3 }) },
  { requiredKeys: [] },
)
