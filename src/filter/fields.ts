/** The fields by which a list can be filtered and sorted. */

type Common = {
  /** A column of a table, or an expression in parentheses for what is computed. */
  column: string
  /** The column may hold null: sorting then says where nulls go, which a plain index does not serve. */
  nullable?: boolean
  /**
   * The column is of another table, which may have no or several rows for a listed one: its `from` and `where`. One of the
   * rows must match; null matches where there is none. Such a field cannot be sorted by.
   */
  through?: string
}

export type Field = Common &
  (
    | {
        kind: 'text'
        /** The column holds lower case only. */
        lowercase?: boolean
        /** The part of a given text that the column holds. */
        reads?: (given: string) => string
        /** The column holds phone numbers, in E.164 without plus or as somebody sent them (D131). */
        phone?: 'E.164' | 'as sent'
      }
    | { kind: 'choice'; choices: readonly string[] }
    | { kind: 'uuid' | 'integer' | 'instant' | 'boolean' }
    /** A number outside, a whole number of 10^-scale inside: money is scale 2. */
    | { kind: 'decimal'; scale: number }
    /** A jsonb column, reached by dotted paths only: `metadata.lead_id`. */
    | { kind: 'json' }
  )

export type FieldKind = Field['kind']

export type Fields = ReadonlyMap<string, Field>

export type FieldDeclarations = Record<string, Field | { aliasOf: string }>

export function defineFields(declared: FieldDeclarations): Fields {
  const fields = new Map<string, Field>()
  for (const [name, entry] of Object.entries(declared)) {
    const field = 'aliasOf' in entry ? declared[entry.aliasOf] : entry
    if (!field || 'aliasOf' in field) throw new Error(`${name} is an alias of no field`)
    fields.set(name, field)
  }
  return fields
}
