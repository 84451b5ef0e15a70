/** Shapes that several resources share. */
import { type Static, type TSchema, Type } from 'typebox'

export const Instant = Type.String({
  format: 'date-time',
  description: 'UTC, ISO 8601 with milliseconds',
  examples: ['2026-11-15T12:30:00.000Z'],
})

/** For every body (D61): fields that are not in the schema are removed. */
export const closed = { additionalProperties: false }

/** A schema that allows null; as a list of types it is serialised much faster than as a union. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: ['string', 'null'] })
}

/** Spec §2.9. `nextPage` and `previousPage` are absent when there is no such page. */
export const PageMeta = Type.Object(
  {
    totalItemCount: Type.Integer(),
    totalPageCount: Type.Integer(),
    itemsPerPage: Type.Integer(),
    currentPage: Type.Integer(),
    nextPage: Type.Optional(Type.Integer()),
    previousPage: Type.Optional(Type.Integer()),
  },
  { $id: 'PageMeta', description: 'Where this page stands in the whole list' },
)

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      statusCode: Type.Integer(),
      name: Type.String(),
      message: Type.String(),
      code: Type.String(),
      errorCode: Type.String({ description: 'Always equal to code' }),
      details: Type.Optional(
        Type.Object({
          context: Type.String(),
          codes: Type.Record(Type.String(), Type.Array(Type.String())),
          messages: Type.Record(Type.String(), Type.Array(Type.String())),
        }),
      ),
    }),
  },
  { $id: 'Error', description: 'Every answer that is not a success (D100)' },
)
