/** Shapes that several resources share. */

import { errorCodes } from '../errors.ts'
import { expects } from './body.ts'
import { type Static, type TObject, type TSchema, Type } from './type.ts'

export const Instant = Type.String({
  format: 'date-time',
  examples: ['2026-11-15T12:30:00.000Z'],
})

/** An instant with an example of its own. */
export const instantAs = (example: string) => Type.String({ format: 'date-time', examples: [example] })

/** A schema that allows null; as a list of types it is serialised much faster than as a union. */
export function nullable<T extends TSchema>(schema: T) {
  const choices = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...schema, ...choices, type: ['string', 'null'] })
}

/** Where a schema of `listed` keeps the schema of the whole record. */
export const wholeRecord = Symbol('whole record')

/** A record of a list, of which `filter.fields` may leave fields out. The API reference shows the whole record. */
export function listed<T extends TObject>(record: T) {
  return Object.assign(Type.Partial(record), { [wholeRecord]: record })
}

/** D74, D80: of a record that PATCH changes; see `givenId`. */
export const optionalId = Type.Optional(
  Type.Unsafe<number | string | null>({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[0-9]{0,15}$' },
      { type: 'null' },
    ],
    description: 'The record to change, a number or its digits; absent, null, 0 or empty creates one',
    examples: [1],
    ...expects({
      en: 'must be an id: a whole number, or its digits',
      pt: 'deve ser um id: um número inteiro ou os seus dígitos',
    }),
  }),
)

/** Undefined creates a record. Typed clients write 0 or an empty text for an id that they do not set. */
export function givenId(id: number | string | null | undefined): number | undefined {
  return Number(id) || undefined
}

/** Spec §2.9. `nextPage` and `previousPage` are absent when there is no such page; `nextCursor` is added (D135). */
export const PageMeta = Type.Object(
  {
    totalItemCount: Type.Integer(),
    totalPageCount: Type.Integer(),
    totalIsLowerBound: Type.Optional(
      Type.Literal(true, {
        description:
          'There are at least so many items and pages: the search reads no more rows than the page needs. Read on as long as there is nextPage or nextCursor. Absent where the totals are exact',
      }),
    ),
    itemsPerPage: Type.Integer(),
    currentPage: Type.Integer(),
    nextPage: Type.Optional(Type.Integer()),
    previousPage: Type.Optional(Type.Integer()),
    nextCursor: Type.Optional(
      Type.String({
        description:
          'The value of cursor, in place of page, for the rows that follow; absent after the last row',
      }),
    ),
  },
  {
    $id: 'PageMeta',
    description: 'Where this page stands in the whole list',
    examples: [{ totalItemCount: 240, totalPageCount: 3, itemsPerPage: 100, currentPage: 1, nextPage: 2 }],
  },
)

/** D158: beside a `message`. */
export const LocalizedMessage = Type.Optional(
  Type.String({ description: 'The message in Portuguese, where `Accept-Language` prefers it' }),
)

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      statusCode: Type.Integer(),
      name: Type.String(),
      message: Type.String({ description: 'In English, whatever `Accept-Language` says' }),
      localizedMessage: LocalizedMessage,
      code: Type.Enum(errorCodes, { description: 'What is wrong; a code never changes its meaning' }),
      errorCode: Type.String({ description: 'Always equal to code' }),
      details: Type.Optional(
        Type.Union([
          Type.Object({
            context: Type.String(),
            codes: Type.Record(Type.String(), Type.Array(Type.String())),
            messages: Type.Record(Type.String(), Type.Array(Type.String())),
            localizedMessages: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
          }),
          Type.Object({
            callId: Type.String({ description: 'Of CALL_ALREADY_RINGING: the call that rings' }),
          }),
        ]),
      ),
    }),
  },
  { $id: 'Error', description: 'Every answer that is not a success' },
)
