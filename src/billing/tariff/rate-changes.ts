/**
 * The changes that importing a sheet of rates would make. A rate in force is never rewritten: it ends now and a new one
 * begins now. Only rates that begin in the future may be changed or dropped.
 */
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
  problems: string[]
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
      duplicateOf === undefined
        ? place(rate, known.get(keyOf(rate)) ?? [])
        : `is the same rate as line ${duplicateOf}`
    if (problem !== undefined) plan.problems.push(`line ${rate.line} (${rate.prefix}): ${problem}`)
  }
  if (replace) {
    const decks = new Set(sheet.map(({ domain }) => domain))
    for (const rate of stored) if (decks.has(rate.domain) && !named.has(rate)) end(rate)
  }
  return plan

  function place(rate: SheetRate, ofPrefix: StoredRate[]): string | undefined {
    const { from, until, line: _line, ...terms } = rate
    if (until && until <= (from ?? now)) return 'ends before it begins'
    const before = from
      ? ofPrefix.find((one) => one.from.getTime() === from.getTime())
      : ofPrefix.findLast((one) => one.from <= now)
    if (before) named.add(before)
    const same = before !== undefined && sameTerms(before, terms)
    if (same && sameEnd(before, until)) {
      plan.unchanged += 1
    } else if (!before) {
      if (from && from < now) return 'begins in the past: leave valid_from empty to begin now'
      plan.added.push({ ...terms, from: from ?? now, until: until ?? null })
    } else if (same) {
      if (until && until <= now) return 'ends in the past'
      plan.ended.push({ rate: before, until: until ?? null })
    } else if (before.from > now) {
      plan.dropped.push(before)
      plan.added.push({ ...terms, from: before.from, until: until ?? null })
    } else if (from) {
      return 'has begun, and is kept as it is: leave valid_from empty to change it from now on'
    } else {
      plan.ended.push({ rate: before, until: now })
      plan.added.push({ ...terms, from: now, until: until ?? null })
    }
    return undefined
  }

  function end(rate: StoredRate) {
    if (rate.from > now) plan.dropped.push(rate)
    else plan.ended.push({ rate, until: now })
  }
}

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
