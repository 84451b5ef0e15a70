/**
 * Decides, before anything is stored, whether an account may call a number at all (D194), and which ceilings of its day
 * the call counts in (D193). What is refused raises an alert (D197).
 */
import type { DailyRefusal } from '../billing/credit/credit.ts'
import { type DailyCeilings, noCeilings } from '../billing/credit/daily-use.ts'
import { andThen, type Maybe } from '../kit/maybe.ts'
import type { Centavos } from '../kit/text/money.ts'
import type { Alerts } from './alerts/alerts.ts'
import type { AccountLimits } from './limit.ts'
import { dailyCeilings, type Limits } from './limits.ts'
import { isInternational, type Range, rangeOf } from './ranges.ts'

/** Why an account may not place a call. */
export type LimitRefusal =
  /** Without a range: a number outside Brazil. */
  | { rule: 'destination'; number: string; range: Range | undefined }
  | { rule: 'calls-per-day'; limit: number; endsAt: Date }
  | { rule: 'spending-per-day'; limit: Centavos; endsAt: Date }

type Outgoing = { accountId: number; number: string }

export function createCallGuard({ limits, alerts }: { limits: Limits; alerts: Alerts }) {
  /** The daily ceilings of a call that is allowed; synchronously when cached. */
  function check({ accountId, number }: Outgoing): Maybe<DailyCeilings | LimitRefusal> {
    return andThen(limits.of(accountId), (found) => {
      const refusal = refusalOf(number, found)
      if (!refusal) return dailyCeilings(found)
      report(accountId, refusal)
      return refusal
    })
  }

  /** A ceiling of the day that was found reached when the credit was reserved. */
  function reached(
    accountId: number,
    ceilings: DailyCeilings | undefined = noCeilings,
    { reached: which, endsAt }: DailyRefusal,
  ) {
    const refusal: LimitRefusal =
      which === 'calls'
        ? { rule: 'calls-per-day', limit: ceilings.calls, endsAt }
        : { rule: 'spending-per-day', limit: ceilings.spending, endsAt }
    report(accountId, refusal)
    return refusal
  }

  function report(accountId: number, refusal: LimitRefusal) {
    if (refusal.rule === 'destination') {
      const { rule, number, range } = refusal
      alerts.raise(accountId, { rule, number, range })
    } else {
      alerts.raise(accountId, { rule: refusal.rule, limit: refusal.limit })
    }
  }

  return { check, reached }
}
export type CallGuard = ReturnType<typeof createCallGuard>

/** D194: abroad only where it is enabled; barred ranges only where the operator enabled them by their prefix. */
function refusalOf(
  number: string,
  { international, ranges }: AccountLimits,
): Extract<LimitRefusal, { rule: 'destination' }> | undefined {
  const range = rangeOf(number)
  if (range) return ranges.has(range.prefix) ? undefined : { rule: 'destination', number, range }
  if (isInternational(number) && !international.value)
    return { rule: 'destination', number, range: undefined }
  return undefined
}
