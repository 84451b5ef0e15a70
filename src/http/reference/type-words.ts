/** The type of a schema in words: `string or null`, `list of User`, the values of an enumeration. */
import type { Schema } from './document.ts'
import { nameOf } from './document-parts.ts'
import type { ReferenceWords } from './words.ts'

/** How a page writes code and the name of a record, and in which words. */
export type Marks = {
  code: (text: string) => string
  link: (record: string) => string
  words: ReferenceWords
}

/** Longer lists are said in the description of the field. */
const maxChoices = 16

export function typeWords(schema: Schema, marks: Marks): string {
  const words = (one: Schema) => typeWords(one, marks)
  const { or, listOf, anything } = marks.words
  if (schema.$ref) return marks.link(nameOf(schema.$ref))
  if (schema.const !== undefined) return marks.code(String(schema.const))
  if (schema.anyOf) return schema.anyOf.map(words).join(or)
  if (schema.enum && schema.enum.length < maxChoices)
    return schema.enum.map((value) => marks.code(String(value))).join(' ')
  const types = schema.type ?? 'any'
  if (types === 'array') return `${listOf} ${schema.items ? words(schema.items) : anything}`
  const text = Array.isArray(types) ? types.join(or) : types
  return schema.format ? `${text}, ${schema.format}` : text
}

/** Type of an answer in words: `page of User` for a page of a list; empty where the example is enough. */
export function answerWords(schema: Schema, marks: Marks): string {
  const items = schema.properties?.data?.items
  if (items?.$ref) return `${marks.words.pageOf} ${marks.link(nameOf(items.$ref))}`
  return schema.$ref || schema.items ? typeWords(schema, marks) : ''
}
