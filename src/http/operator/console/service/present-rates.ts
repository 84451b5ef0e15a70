/** Rates, and the plan of an import, as the operator's routes answer them. */
import type { PlanLine } from '../../../../billing/tariff/plan-lines.ts'
import type { Rate } from '../../../../billing/tariff/rate.ts'
import type { StoredRate } from '../../../../billing/tariff/rate-changes.ts'
import type { ImportResult } from '../../../../billing/tariff/rate-imports.ts'
import {
  maxPlanLines,
  type OperatorPlanLine,
  type OperatorRate,
  type OperatorRatePlan,
} from '../../../../contract/operator-rates.ts'
import type { Language } from '../../../../kit/text/language.ts'
import { minutePriceToReais } from '../../../../kit/text/money.ts'

export function presentTerms({ name, minutePrice, firstBlock, step, grace }: Rate) {
  return { name, minutePrice: minutePriceToReais(minutePrice), firstBlock, step, grace }
}

type Dated = Rate & { from: Date; until: Date | null }

const presentDated = (rate: Dated) => ({
  ...presentTerms(rate),
  from: rate.from.toISOString(),
  until: rate.until?.toISOString() ?? null,
})

export function presentRate(rate: StoredRate): OperatorRate {
  return { domain: rate.domain, prefix: rate.prefix, ...presentDated(rate) }
}

export function presentPlan(result: ImportResult, language: Language): OperatorRatePlan {
  const { fingerprint, lines, problems, unchanged, outcome } = result
  const countOf = (kind: PlanLine['kind']) => lines.filter((line) => line.kind === kind).length
  return {
    plan: fingerprint,
    applied: outcome === 'applied',
    counts: {
      new: countOf('new'),
      changed: countOf('changed'),
      gone: countOf('gone'),
      unchanged,
      problems: problems.length,
    },
    lines: lines.slice(0, maxPlanLines).map(presentLine),
    problems: problems.slice(0, maxPlanLines).map(({ line, message }) => ({
      ...(line !== undefined && { line }),
      message: message[language],
    })),
  }
}

function presentLine({ kind, before, after }: PlanLine): OperatorPlanLine {
  const { domain = '', prefix = '' } = after ?? before ?? {}
  return {
    kind,
    domain,
    prefix,
    ...(before && { before: presentDated(before) }),
    ...(after && { after: presentDated(after) }),
  }
}
