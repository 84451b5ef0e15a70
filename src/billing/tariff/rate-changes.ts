/**
 * The changes that importing a sheet of rates would make. A rate in force is never rewritten: it ends now and a new one
 * begins now. Only rates that begin in the future, or at this very moment, may be changed or dropped.
 */
import type { Language, Translated } from '../../kit/text/language.ts'
import type { Rate } from './rate.ts'

/** A line of a sheet. Without `from` it is valid from now on. */
export type SheetRate = Rate & {
  domain: string
  from: Date | undefined
  until: Date | undefined
  line: number
}

/** `domain` is empty and `accountId` null in the default deck. */
export type StoredRate = Rate & {
  id: number
  accountId: number | null
  domain: string
  from: Date
  until: Date | null
}

export type ChangePlan = {
  added: (Rate & { domain: string; from: Date; until: Date | null })[]
  /** Rates whose end changes; `null`: no end. */
  ended: { rate: StoredRate; until: Date | null }[]
  /** Future rates that are dropped. */
  dropped: StoredRate[]
  unchanged: number
  problems: SheetProblem[]
}

/** `line` is undefined for a problem of the whole sheet. */
export type SheetProblem = { line: number | undefined; prefix?: string; message: Translated<string> }

/** In one sentence. */
export function describeProblem({ line, prefix, message }: SheetProblem, language: Language): string {
  if (line === undefined) return message[language]
  const place = `${language === 'pt' ? 'linha' : 'line'} ${line}`
  return `${prefix === undefined ? place : `${place} (${prefix})`}: ${message[language]}`
}

export function planChanges(
  stored: StoredRate[],
  sheet: SheetRate[],
  now: Date,
  replace: boolean,
): ChangePlan {
  const plan: ChangePlan = { added: [], ended: [], dropped: [], unchanged: 0, problems: [] }
  const known = Map.groupBy(stored, keyOf)
  const named = new Set<StoredRate>()
  const firstLine = new Map<string, number>()

  for (const rate of sheet) {
    const name = `${keyOf(rate)} ${rate.from?.toISOString() ?? ''}`
    const duplicateOf = firstLine.get(name)
    if (duplicateOf === undefined) firstLine.set(name, rate.line)
    const problem =
      duplicateOf === undefined ? place(rate, known.get(keyOf(rate)) ?? []) : sameAs(duplicateOf)
    if (problem) plan.problems.push({ line: rate.line, prefix: rate.prefix, message: problem })
  }
  if (replace) {
    const decks = new Set(sheet.map(({ domain }) => domain))
    for (const rate of stored) if (decks.has(rate.domain) && !named.has(rate)) end(rate)
  }
  return plan

  function place(rate: SheetRate, ofPrefix: StoredRate[]): Translated<string> | undefined {
    const { from, until, line: _line, ...terms } = rate
    if (until && until <= (from ?? now)) return refused.order
    const before = from
      ? ofPrefix.find((one) => one.from.getTime() === from.getTime())
      : ofPrefix.findLast((one) => one.from <= now)
    if (before) named.add(before)
    const same = before !== undefined && sameTerms(before, terms)
    if (same && sameEnd(before, until)) {
      plan.unchanged += 1
    } else if (!before) {
      if (from && from < now) return refused.past
      plan.added.push({ ...terms, from: from ?? now, until: until ?? null })
    } else if (same) {
      if (until && until <= now) return refused.ended
      plan.ended.push({ rate: before, until: until ?? null })
    } else if (before.from >= now) {
      plan.dropped.push(before)
      plan.added.push({ ...terms, from: before.from, until: until ?? null })
    } else if (from) {
      return refused.begun
    } else {
      plan.ended.push({ rate: before, until: now })
      plan.added.push({ ...terms, from: now, until: until ?? null })
    }
    return undefined
  }

  function end(rate: StoredRate) {
    if (rate.from >= now) plan.dropped.push(rate)
    else plan.ended.push({ rate, until: now })
  }
}

const sameAs = (line: number) => ({
  en: `is the same rate as line ${line}`,
  pt: `é a mesma tarifa da linha ${line}`,
})
const refused = {
  order: { en: 'ends before it begins', pt: 'termina antes de começar' },
  past: {
    en: 'begins in the past: leave valid_from empty to begin now',
    pt: 'começa no passado: deixe valid_from vazio para começar agora',
  },
  ended: { en: 'ends in the past', pt: 'termina no passado' },
  begun: {
    en: 'has begun, and is kept as it is: leave valid_from empty to change it from now on',
    pt: 'já começou e fica como está: deixe valid_from vazio para mudar a partir de agora',
  },
} satisfies Record<string, Translated<string>>

function keyOf({ domain, prefix }: { domain: string; prefix: string }): string {
  return `${domain} ${prefix}`
}

function sameTerms(one: Rate, other: Rate): boolean {
  const keys = ['name', 'minutePrice', 'firstBlock', 'step', 'grace'] as const
  return keys.every((key) => one[key] === other[key])
}

function sameEnd({ until }: StoredRate, other: Date | undefined): boolean {
  return (until?.getTime() ?? null) === (other?.getTime() ?? null)
}
