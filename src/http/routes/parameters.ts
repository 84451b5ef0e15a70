/** Query parameters that lists share, described for the API reference. */
import type { List } from '../../filter/list.ts'

export function filterParameter({ fields, shows }: List): Record<string, string> {
  return {
    filter:
      'A JSON object, or the bracket form filter[where][field]=value, with the keys where, order, limit, ' +
      `offset, fields. Searches by ${[...fields.keys()].join(', ')}; shows ${shows.join(', ')}.`,
  }
}

export function pageParameters(list: List): Record<string, string> {
  return { page: 'Which page, from 1', ...filterParameter(list) }
}
