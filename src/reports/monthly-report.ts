/** The report of a month (D643): its figures, those of the month before, and the largest groups. Pure. */
import type { CreditOfPeriod } from '../billing/ledger/ledger.ts'
import type { Centavos } from '../kit/text/money.ts'
import { problemOfName } from '../users/user.ts'

export type Figures = { calls: number; answered: number; seconds: number; cost: Centavos }
export type GroupFigures = Figures & { group: string | null }
export type NamedFigures = Figures & { name: string }

export type MonthlyReport = {
  domain: string
  /** First day of the month, `2026-10-01`. */
  firstDay: string
  lastDay: string
  /** First day of the month before. */
  firstDayBefore: string
  figures: Figures
  before: Figures
  extensions: NamedFigures[]
  users: NamedFigures[]
  /** Empty if no call of the month has an outcome. */
  outcomes: NamedFigures[]
  credit: CreditOfPeriod
}

export const maxGroups = 5

export function addUp(rows: readonly Figures[]): Figures {
  return rows.reduce<Figures>(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      answered: sum.answered + row.answered,
      seconds: sum.seconds + row.seconds,
      cost: sum.cost + row.cost,
    }),
    { calls: 0, answered: 0, seconds: 0, cost: 0 },
  )
}

/** One row for each group, that with the most calls first; of equal ones by name. */
export function largestGroups(rows: readonly GroupFigures[]): GroupFigures[] {
  return [...Map.groupBy(rows, ({ group }) => group)]
    .map(([group, ofGroup]) => ({ group, ...addUp(ofGroup) }))
    .sort((one, other) => other.calls - one.calls || ((one.group ?? '') < (other.group ?? '') ? -1 : 1))
}

/** D145: text that could be read as a link, or as more than a name, is left out. */
export function plainName(name: string | undefined): string | undefined {
  return name === undefined || problemOfName(name) ? undefined : name
}
