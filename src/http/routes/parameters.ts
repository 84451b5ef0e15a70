/** Query parameters that lists share, described for the API reference. */
import type { List } from '../../filter/list.ts'
import type { QueryParameter } from '../entry.ts'

export function filterParameter({ fields, example }: List): Record<string, QueryParameter> {
  const names = [...fields.keys()].map((name) => `\`${name}\``)
  const about = `JSON with \`where\`, \`order\`, \`limit\`, \`offset\`, \`fields\`. Searches by ${names.join(', ')}.`
  return { filter: { about, example: JSON.stringify(example) } }
}

export function pageParameters(list: List): Record<string, QueryParameter> {
  return { page: { about: 'Which page, from 1', example: 1, required: true }, ...filterParameter(list) }
}
