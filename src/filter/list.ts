/**
 * Declares by which fields a list can be filtered, sorted and reduced. A name that is not declared does not exist, so
 * secret columns are safe as long as they are not declared (D25).
 */
import { defineFields, type FieldDeclarations, type Fields } from './fields.ts'
import { type Order, readOrder } from './order.ts'

type ListDeclaration = {
  fields: FieldDeclarations
  /** The properties an answer shows, which `filter.fields` picks from. */
  shows: readonly string[]
  /** Properties that an answer shows only if `filter.fields` names them. */
  showsIfNamed?: readonly string[]
  /** As in `filter.order`: 'started_at DESC'. */
  order: string
  /** A unique column; always the last sort key (D22). */
  id: string
  /** A filter somebody would send, for the API reference. */
  example: Readonly<Record<string, unknown>>
}

export type List = Omit<ListDeclaration, 'fields' | 'order'> & {
  fields: Fields
  order: readonly Order[]
  idKind: 'uuid' | 'integer'
}

export function defineList(declaration: ListDeclaration): List {
  const fields = defineFields(declaration.fields)
  const id = [...fields.values()].find(({ column }) => column === declaration.id)
  const idKind = id?.kind === 'uuid' ? 'uuid' : 'integer'
  return { ...declaration, fields, idKind, order: readOrder(fields, declaration.order, 'order') }
}
