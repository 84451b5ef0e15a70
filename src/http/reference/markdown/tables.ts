/** Schemas as Markdown. */
import type { Parameter, Schema } from '../document.ts'
import { type Marks, typeWords } from '../type-words.ts'
import type { ReferenceWords } from '../words.ts'

/** A heading's anchor is its text in small letters. */
export const markdownMarks = (words: ReferenceWords): Marks => ({ code: codeMark, link: recordLink, words })

export const codeMark = (text: string) => `\`${text}\``
const recordLink = (record: string) => `[${record}](#${record.toLowerCase()})`

/** Fields of a record or, if `isSent`, of what a client sends. */
export function fieldRows(
  { properties = {}, required = [] }: Schema,
  words: ReferenceWords,
  isSent = false,
): string {
  const { field, type, always, required: needed, about, yes, no } = words.columns
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeWords(schema, markdownMarks(words)),
    required.includes(name) ? yes : no,
    schema.description ?? '',
  ])
  return table([field, type, isSent ? needed : always, about], rows)
}

export function parameterRows(parameters: Parameter[], words: ReferenceWords): string {
  const { parameter, in: where, type, required: needed, about, yes, no } = words.columns
  const rows = parameters.map(({ name, in: place, schema, required, description = '' }) => [
    `\`${name}\``,
    place,
    typeWords(schema, markdownMarks(words)),
    required ? yes : no,
    description,
  ])
  return table([parameter, where, type, needed, about], rows)
}

/** Empty without rows. */
export function table(titles: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const jsonBlock = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
