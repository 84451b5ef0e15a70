/** Query parameters that routes share: read, and described for the API reference. */
import { refuseParameter } from '../../contract/errors.ts'
import type { List } from '../../filter/list.ts'
import { readTime } from '../../filter/where/instant.ts'
import type { Query, QueryParameter } from '../entry.ts'

const flagMessage = { en: 'must be true or false', pt: 'deve ser true ou false' }

/** Absent is false. */
export function readFlag(name: string, value: Query[string]): boolean {
  if (value === undefined || value === 'false') return false
  if (value !== 'true') throw refuseParameter(name, flagMessage)
  return true
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/
const instantMessage = {
  en: 'must be an instant with an offset, such as 2026-11-01T00:00:00-03:00',
  pt: 'deve ser um instante com fuso, como 2026-11-01T00:00:00-03:00',
}

export function readInstant(name: string, text: Query[string]): Date {
  const at = typeof text === 'string' && instant.test(text) ? new Date(text) : undefined
  if (!at || Number.isNaN(at.getTime())) throw refuseParameter(name, instantMessage)
  return at
}

/** D672: a date, and a time without an offset, are local to the account; a date is its first instant. */
export function readMoment(name: string, text: Query[string], timeZone: string): Date {
  const at = new Date(readTime(text, name, timeZone).from)
  if (Number.isNaN(at.getTime())) throw refuseParameter(name, instantMessage)
  return at
}

export function filterParameter({ fields, example }: List): Record<string, QueryParameter> {
  const names = [...fields.keys()].map((name) => `\`${name}\``)
  const about = `JSON with \`where\`, \`order\`, \`limit\`, \`offset\`, \`fields\`; with \`fields\`, records have no others, required or not. Searches by ${names.join(', ')}.`
  return { filter: { about, example: JSON.stringify(example) } }
}

export function pageParameters(list: List): Record<string, QueryParameter> {
  return {
    page: { about: 'Which page, from 1; the first by default', example: 1 },
    cursor: {
      about:
        'In place of `page`: `nextCursor` of the page before, with the same `where` and `order`. However much is added ' +
        'meanwhile, no row is repeated or left out.',
    },
    ...filterParameter(list),
  }
}
