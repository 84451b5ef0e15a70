/** Schemas as Markdown. */
import type { Parameter, Schema } from '../document.ts'
import { type Marks, typeWords } from '../type-words.ts'

/** A heading's anchor is its text in small letters. */
export const markdownMarks: Marks = {
  code: (text) => `\`${text}\``,
  link: (record) => `[${record}](#${record.toLowerCase()})`,
}

export function fieldRows({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeWords(schema, markdownMarks),
    required.includes(name) ? 'yes' : 'no',
    schema.description ?? '',
  ])
  return table(['Field', 'Type', 'Always', 'About'], rows)
}

/** As `fieldRows`, of what a client sends. */
export function bodyRows(schema: Schema): string {
  return fieldRows(schema).replace('| Always |', '| Required |')
}

export function parameterRows(parameters: Parameter[]): string {
  const rows = parameters.map(({ name, in: place, schema, required, description = '' }) => [
    `\`${name}\``,
    place,
    typeWords(schema, markdownMarks),
    required ? 'yes' : 'no',
    description,
  ])
  return table(['Parameter', 'In', 'Type', 'Required', 'About'], rows)
}

/** Empty without rows. */
export function table(titles: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const jsonBlock = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
