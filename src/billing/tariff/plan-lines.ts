/** The changes of an import as an operator reads them: which rates are new, which change, which end. Pure. */
import { createHash } from 'node:crypto'
import type { Rate } from './rate.ts'
import type { ChangePlan } from './rate-changes.ts'

type Dated = Rate & { domain: string; from: Date; until: Date | null }

export type PlanLine = {
  kind: 'new' | 'changed' | 'gone'
  /** Undefined for a new one. */
  before: Dated | undefined
  /** Undefined for one that ends. */
  after: Dated | undefined
}

/** In the order of decks and prefixes. */
export function linesOf({ added, ended, dropped }: ChangePlan, now: Date): PlanLine[] {
  const replaced = [...ended.flatMap(({ rate, until }) => (isSame(until, now) ? [rate] : [])), ...dropped]
  const before = Map.groupBy(replaced, keyOf)
  const lines = added.map((after): PlanLine => {
    const old = before.get(keyOf(after))?.shift()
    return { kind: old ? 'changed' : 'new', before: old, after }
  })
  for (const rest of before.values()) {
    for (const rate of rest) lines.push({ kind: 'gone', before: rate, after: undefined })
  }
  for (const { rate, until } of ended) {
    if (!isSame(until, now)) lines.push({ kind: 'changed', before: rate, after: { ...rate, until } })
  }
  return lines.sort((one, other) => compare(keyOfLine(one), keyOfLine(other)))
}

/** Two plans with one fingerprint make the same changes, whenever each was made. */
export function fingerprintOf({ added, ended, dropped }: ChangePlan, now: Date): string {
  const when = (time: Date | null) => (isSame(time, now) ? 'now' : time)
  const changes = [
    added.map(({ from, until, ...terms }) => [Object.entries(terms).sort(), when(from), until]),
    ended.map(({ rate, until }) => [rate.id, when(until)]),
    dropped.map(({ id }) => id),
  ]
  return createHash('sha256').update(JSON.stringify(changes)).digest('hex').slice(0, 32)
}

const isSame = (time: Date | null, now: Date) => time?.getTime() === now.getTime()

const keyOf = ({ domain, prefix }: Pick<Dated, 'domain' | 'prefix'>) => `${domain} ${prefix}`

function keyOfLine({ before, after }: PlanLine): string {
  const rate = after ?? before
  return rate ? keyOf(rate) : ''
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
