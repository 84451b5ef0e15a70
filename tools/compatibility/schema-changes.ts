/**
 * What breaks when a schema changes. A schema is read in one direction:
 *
 *   sent       by clients: what was accepted must still be accepted
 *   received   by clients: what was promised must still be there
 *
 * Values of an enumeration may be added in both directions and are removed in none: a renamed value is a removed one.
 */
import type { ApiDocument, Schema } from '../../src/http/reference/document.ts'

type Direction = 'sent' | 'received'

/** Schemas of both documents, and the pairs of records that were compared already. */
export type Comparison = { was: ApiDocument; is: ApiDocument; seen: Set<string> }

type Pair = { was: Schema; is: Schema; path: string; direction: Direction }

const compared = ['type', 'enum', 'const', 'properties', 'required', 'items', 'anyOf']
const opening = ['additionalProperties', 'patternProperties']
const narrowing = ['pattern', 'format', 'uniqueItems'] as const
const lowerBounds = ['minLength', 'minimum', 'minItems'] as const
const upperBounds = ['maxLength', 'maximum', 'maxItems'] as const
const words = ['description', 'title', 'examples', 'example', 'default', 'deprecated']
const bounds = [...narrowing, ...lowerBounds, ...upperBounds]
const known = new Set<string>([...compared, ...opening, ...bounds, ...words])

export function findSchemaChanges(comparison: Comparison, pair: Pair): string[] {
  const { was, is, path, direction } = pair
  const [oldName, newName] = [was.$ref, is.$ref]
  if (oldName !== undefined) {
    const key = `${direction} ${oldName} ${newName}`
    if (comparison.seen.has(key)) return []
    comparison.seen.add(key)
  }
  return compareAlternatives(comparison, {
    was: named(comparison.was, was),
    is: named(comparison.is, is),
    path: oldName?.split('/').at(-1) ?? path,
    direction,
  })
}

function named({ components }: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

/** Of `anyOf`: each alternative that must fit needs one on the other side that it fits to. */
function compareAlternatives(comparison: Comparison, pair: Pair): string[] {
  const { was, is, path, direction } = pair
  if (!was.anyOf && !is.anyOf) return compareOne(comparison, pair)
  const [olds, news] = [was.anyOf ?? [was], is.anyOf ?? [is]]
  /** Records inside are compared anew for each candidate, and reported where they are used by themselves. */
  const fits = (old: Schema, now: Schema) => {
    const fresh = { ...comparison, seen: new Set<string>() }
    return findSchemaChanges(fresh, { was: old, is: now, path, direction }).length === 0
  }
  const lost =
    direction === 'sent'
      ? olds.filter((old) => !news.some((now) => fits(old, now)))
      : news.filter((now) => !olds.some((old) => fits(old, now)))
  const verb = direction === 'sent' ? 'no longer takes' : 'may now be'
  return lost.map((schema) => `${path} ${verb} ${schema.$ref ?? typesOf(schema).join(' or ')}`)
}

function compareOne(comparison: Comparison, pair: Pair): string[] {
  const { path, is } = pair
  const foreign = Object.keys(is).filter((keyword) => !known.has(keyword))
  return [
    ...foreign.map((keyword) => `${path} uses the keyword ${keyword}, which the comparison does not know`),
    ...typeChanges(pair),
    ...valueChanges(pair),
    ...boundChanges(pair),
    ...objectChanges(comparison, pair),
    ...itemChanges(comparison, pair),
  ]
}

const anyType = ['string', 'number', 'boolean', 'object', 'array', 'null']
const typeOfValue = (value: unknown) => {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat()
  return valuesOf(schema)?.map(typeOfValue) ?? anyType
}

const valuesOf = ({ enum: list, const: only }: Schema) => (only === undefined ? list : [only])

function typeChanges({ was, is, path, direction }: Pair): string[] {
  const [from, to] = direction === 'sent' ? [was, is] : [is, was]
  const allowed = typesOf(to)
  const isAllowed = (type: string) =>
    allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  const lost = new Set(typesOf(from).filter((type) => !isAllowed(type)))
  const verb = direction === 'sent' ? 'no longer takes' : 'may now be'
  return [...lost].map((type) => `${path} ${verb} a value of the type ${type}`)
}

function valueChanges({ was, is, path, direction }: Pair): string[] {
  const [before, after] = [valuesOf(was), valuesOf(is)]
  if (direction === 'sent' && !before && after) return [`${path} takes certain values only`]
  if (direction === 'received' && before && !after) return [`${path} no longer names its values`]
  // A value that is never null any more has become easier to read.
  const lost = before?.filter(
    (value) => !after?.includes(value) && !(direction === 'received' && value === null),
  )
  if (!after || !lost) return []
  return lost.map((value) => `${path} has lost the value ${JSON.stringify(value)}`)
}

/** Lengths, ranges and patterns bind what is sent; a format also tells how to read what is received. */
function boundChanges({ was, is, path, direction }: Pair): string[] {
  if (direction === 'received')
    return was.format !== undefined && is.format !== was.format
      ? [`${path} is no longer a ${was.format}`]
      : []
  const rises = lowerBounds.filter((bound) => (is[bound] ?? -Infinity) > (was[bound] ?? -Infinity))
  const falls = upperBounds.filter((bound) => (is[bound] ?? Infinity) < (was[bound] ?? Infinity))
  const others = narrowing.filter((one) => is[one] !== undefined && is[one] !== was[one])
  return [...rises, ...falls, ...others].map((bound) => `${path} takes less: ${bound} is ${is[bound]} now`)
}

function objectChanges(comparison: Comparison, { was, is, path, direction }: Pair): string[] {
  const [olds, news] = [was.properties ?? {}, is.properties ?? {}]
  const parts = Object.entries(olds).flatMap(([name, old]) => {
    const now = news[name]
    const field = `${path}.${name}`
    if (now) return findSchemaChanges(comparison, { was: old, is: now, path: field, direction })
    return [direction === 'sent' ? `${field} is no longer taken` : `${field} is gone`]
  })
  const [before, after] = [was.required ?? [], is.required ?? []]
  const strict =
    direction === 'sent'
      ? after.filter((name) => !before.includes(name)).map((name) => `${path}.${name} must now be sent`)
      : before
          .filter((name) => news[name] && !after.includes(name))
          .map((name) => `${path}.${name} may now be absent`)
  return [...parts, ...strict, ...openChanges(comparison, { was, is, path, direction })]
}

/** Objects with fields of any name, such as metadata. */
function openChanges(comparison: Comparison, { was, is, path, direction }: Pair): string[] {
  const [old, now] = [anyField(was), anyField(is)]
  if (!old) return []
  if (!now) return [`${path} no longer has fields of any name`]
  return findSchemaChanges(comparison, { was: old, is: now, path: `${path}.*`, direction })
}

function anyField({ additionalProperties: more, patternProperties = {} }: Schema): Schema | undefined {
  const [byPattern = more] = Object.values(patternProperties)
  return byPattern === true ? {} : byPattern || undefined
}

function itemChanges(comparison: Comparison, { was, is, path, direction }: Pair): string[] {
  if (!was.items && !is.items) return []
  return findSchemaChanges(comparison, {
    was: was.items ?? {},
    is: is.items ?? {},
    path: `${path}[]`,
    direction,
  })
}
