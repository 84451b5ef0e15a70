/** The details of an entry, in words: each field with its name, its value as people write it. */
import { browserOf } from '../../parts/browser.ts'
import { useFormat } from '../../parts/format.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { scopeWords } from '../../words/scopes.ts'
import { auditWords } from './words.ts'

/** Ids of the API, which say nothing to people. */
const hidden = ['uuid']
/** Values that speak for themselves. */
const unnamed = ['userAgent']
const daySeconds = 86_400

type Props = {
  details: Record<string, unknown>
  /** Names of fields, and of values by field, that only this log has. */
  more?: { fields: Record<string, string>; values: Record<string, Record<string, string>> }
}

export function Details({ details, more }: Props) {
  const words = useWords(auditWords)
  const common = useWords(commonWords)
  const scopes: Record<string, string> = useWords(scopeWords)
  const format = useFormat()
  const nameOf = (field: string) => more?.fields[field] ?? words.fields[field] ?? field

  /** What a value means depends on its field; anything else is written as it is. */
  const special: Record<string, (value: never) => string> = {
    amount: (reais: number) => format.money(reais),
    spendingPerDay: (reais: number) => format.money(reais),
    changed: (fields: string[]) => [...new Set(fields.map(nameOf))].join(', '),
    lastFour: (end: string) => `…${end}`,
    reason: (reason: string) => words.reasons[reason] ?? reason,
    role: (role: string) => words.roles[role] ?? role,
    scopes: (names: string[]) => names.map((name) => scopes[name] ?? name).join(', '),
    ttl: (seconds: number) =>
      seconds < 0 ? words.forever : words.days(format.count(Math.round(seconds / daySeconds))),
    userAgent: browserOf,
  }

  function write(field: string, value: unknown): string {
    if (value === null || value === undefined) return words.standard
    const own = special[field]
    if (own) return own(value as never)
    if (typeof value === 'boolean') return value ? common.yes : common.no
    if (typeof value === 'number') return format.count(value)
    if (Array.isArray(value)) return value.map((one) => write(field, one)).join(', ')
    if (typeof value === 'object') return listOf(value).join(', ')
    return more?.values[field]?.[String(value)] ?? String(value)
  }

  const listOf = (fields: object) =>
    Object.entries(fields)
      .filter(([field]) => !hidden.includes(field))
      .map(([field, value]) => (unnamed.includes(field) ? '' : `${nameOf(field)}: `) + write(field, value))

  const parts = listOf(details)
  return parts.length === 0 ? null : <span className="faint small">{parts.join(' · ')}</span>
}
