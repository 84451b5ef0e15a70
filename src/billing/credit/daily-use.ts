/**
 * D193: calls and spending of an account in a day, which begins with its first call and lasts 24 hours. They are counted
 * in the row of its balance, which a reservation and a price change anyway: no call costs a statement more.
 */
import { plusSeconds } from '../../kit/clock.ts'
import type { Centavos } from '../../kit/text/money.ts'

const daySeconds = 86_400

export type DailyCeilings = { calls: number; spending: Centavos }

/** For calls that no rule restricts. */
export const noCeilings: DailyCeilings = {
  calls: Number.MAX_SAFE_INTEGER,
  spending: Number.MAX_SAFE_INTEGER,
}

/** The columns of a balance. */
export type DayColumns = { day_began: Date | null; day_calls: number; day_spent: Centavos }

export type DailyUse = {
  calls: number
  /** The prices of calls that are over. */
  spent: Centavos
  /** Undefined if no day has begun. */
  day: { began: Date; ends: Date } | undefined
}

export function dailyUseOf({ day_began, day_calls, day_spent }: DayColumns, at: Date): DailyUse {
  if (!day_began || at >= endOf(day_began)) return { calls: 0, spent: 0, day: undefined }
  return { calls: day_calls, spent: day_spent, day: { began: day_began, ends: endOf(day_began) } }
}

export function endOf(began: Date): Date {
  return plusSeconds(began, daySeconds)
}
