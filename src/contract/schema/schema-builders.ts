/**
 * Builders of JSON schemas with the types of TypeBox. Its own builders make the same schemas, but load 373 modules at every
 * start for what fits in this file. Kinds are marked as TypeBox marks them, so that its checks know our schemas.
 */
import type { Type } from 'typebox'

export type { Static, TObject, TSchema } from 'typebox'

type Builders = typeof Type
type Schema = Record<string, unknown>

/** Not enumerable: a mark is no part of the JSON schema. */
function mark(schema: Schema, name: string, value: unknown): Schema {
  return Object.defineProperty(schema, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: false,
  })
}

const make = (kind: string, schema: Schema, options: Schema = {}) =>
  mark({ ...schema, ...options }, '~kind', kind)

/** With its marks. */
const copy = (schema: Schema): Schema =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as Schema

const plain =
  (kind: string, schema: Schema) =>
  (options?: Schema): Schema =>
    make(kind, schema, options)

const optional = (schema: Schema) => mark(copy(schema), '~optional', true)

function object(properties: Record<string, Schema>, options?: Schema): Schema {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(properties[name] ?? {}, '~optional'),
  )
  return make('Object', { type: 'object', ...(required.length > 0 && { required }), properties }, options)
}

/** Every property is optional. */
function partial({ properties }: { properties: Record<string, Schema> }): Schema {
  return object(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, optional(one)])))
}

const array = (items: Schema, options?: Schema) => make('Array', { type: 'array', items }, options)
const anyOf = (schemas: Schema[], options?: Schema) => make('Union', { anyOf: schemas }, options)
const oneOf = (values: readonly unknown[], options?: Schema) => make('Enum', { enum: values }, options)
const literal = (value: unknown, options?: Schema) =>
  make('Literal', { type: typeof value, const: value }, options)
/** Keys are any text. */
const record = (_key: Schema, value: Schema, options?: Schema) =>
  make('Record', { type: 'object', patternProperties: { '^.*$': value } }, options)
const unsafe = (schema: Schema) => mark(copy(schema), '~unsafe', null)

/** The types are TypeBox's. */
const typed = <Name extends keyof Builders>(build: unknown) => build as Builders[Name]

const ArrayOf = typed<'Array'>(array)
const BooleanOf = typed<'Boolean'>(plain('Boolean', { type: 'boolean' }))
const NumberOf = typed<'Number'>(plain('Number', { type: 'number' }))
const ObjectOf = typed<'Object'>(object)
const RecordOf = typed<'Record'>(record)
const StringOf = typed<'String'>(plain('String', { type: 'string' }))

export const Enum = typed<'Enum'>(oneOf)
export const Integer = typed<'Integer'>(plain('Integer', { type: 'integer' }))
export const Literal = typed<'Literal'>(literal)
export const Null = typed<'Null'>(plain('Null', { type: 'null' }))
export const Optional = typed<'Optional'>(optional)
export const Partial = typed<'Partial'>(partial)
export const Union = typed<'Union'>(anyOf)
export const Unknown = typed<'Unknown'>(plain('Unknown', {}))
export const Unsafe = typed<'Unsafe'>(unsafe)
export {
  ArrayOf as Array,
  BooleanOf as Boolean,
  NumberOf as Number,
  ObjectOf as Object,
  RecordOf as Record,
  StringOf as String,
}
