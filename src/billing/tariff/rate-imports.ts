/** Imports and exports sheets of rates; an import may be a dry run (D622). */
import { findAccountIds } from '../../accounts/account-lookup-store.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { recordOperatorChange } from '../../users/audit/operator-log.ts'
import { type DeckRate, findRate, toDecks } from './decks.ts'
import { fingerprintOf, linesOf, type PlanLine } from './plan-lines.ts'
import type { Rate } from './rate.ts'
import { type ChangePlan, planChanges, type StoredRate } from './rate-changes.ts'
import { readSheet, writeSheet } from './rate-sheet.ts'
import {
  deleteRates,
  endRates,
  insertRates,
  lockRates,
  notifyRatesChanged,
  readRates,
} from './rates-store.ts'

type Deps = { db: Database; clock: Clock }

type Options = {
  apply: boolean
  /** In the decks that the sheet names, rates that it does not name end. */
  replace: boolean
  /** Why, for the operator's log. */
  reason?: string
  /** The fingerprint of the plan that the operator has seen. */
  seen?: string
}

export type ImportResult = ChangePlan & {
  lines: PlanLine[]
  fingerprint: string
  /** `outdated`: the plan is not the one that the operator has seen. */
  outcome: 'planned' | 'applied' | 'refused' | 'outdated'
}

type Trial = {
  /** E.164 without plus. */
  number: string
  /** Empty for an account without a deck of its own. */
  domain: string
  /** Rates as they would be after the import of this sheet. */
  sheet?: { text: string; replace: boolean } | undefined
}

export function createRateImports({ db, clock }: Deps) {
  /** Changes the rates only with `apply`, and only if the sheet has no problems. */
  async function importSheet(text: string, options: Options): Promise<ImportResult> {
    const { apply, replace, reason, seen } = options
    return await db.transaction().execute(async (tx) => {
      if (apply) await lockRates(tx)
      const now = clock.now()
      const { plan, accounts } = await planImport(tx, text, replace, now)
      const fingerprint = fingerprintOf(plan, now)
      const result = { ...plan, lines: linesOf(plan, now), fingerprint }
      if (plan.problems.length > 0) return { ...result, outcome: 'refused' as const }
      if (!apply) return { ...result, outcome: 'planned' as const }
      if (seen !== undefined && seen !== fingerprint) return { ...result, outcome: 'outdated' as const }
      await deleteRates(
        tx,
        plan.dropped.map(({ id }) => id),
      )
      await endRates(
        tx,
        plan.ended.map(({ rate, until }) => ({ id: rate.id, until })),
      )
      await insertRates(
        tx,
        plan.added.map((rate) => ({ ...rate, accountId: accounts.get(rate.domain) ?? null })),
      )
      await recordOperatorChange(tx, {
        at: now,
        action: 'rates.imported',
        reason,
        details: {
          begun: plan.added.length,
          ended: plan.ended.length + plan.dropped.length,
          unchanged: plan.unchanged,
          replace,
        },
      })
      await notifyRatesChanged(tx)
      return { ...result, outcome: 'applied' as const }
    })
  }

  async function planImport(tx: Database, text: string, replace: boolean, now: Date) {
    const sheet = readSheet(text)
    const domains = [...new Set(sheet.rates.map(({ domain }) => domain))].filter((domain) => domain !== '')
    const accounts = await findAccountIds(tx, domains)
    const unknownDomains = domains.filter((domain) => !accounts.has(domain))
    const stored = await readRates(tx, now)
    const plan = planChanges(stored, sheet.rates, now, replace)
    plan.problems.unshift(
      ...sheet.problems,
      ...unknownDomains.map((domain) => ({ line: undefined, message: noAccount(domain) })),
    )
    return { plan, accounts, stored }
  }

  /** The rates of a number: now, and after an import. Undefined if there is no such account. */
  async function tryNumber({ number, domain, sheet }: Trial) {
    const now = clock.now()
    const accountId = domain === '' ? null : (await findAccountIds(db, [domain])).get(domain)
    if (accountId === undefined) return undefined
    const find = (rates: DeckRate[]): FoundRate | undefined => {
      const decks = toDecks(rates)
      const rate = findRate(decks, accountId, number, now.getTime())
      const isOwn = accountId !== null && decks.get(accountId)?.find(number, now.getTime()) !== undefined
      return rate && { rate, isOwn }
    }
    if (!sheet) return { current: find(await readRates(db, now)), planned: undefined }
    const { plan, accounts, stored } = await planImport(db, sheet.text, sheet.replace, now)
    return { current: find(stored), planned: find(ratesAfter(plan, stored, accounts)) }
  }

  async function exportSheet(separator: ',' | ';' = ','): Promise<string> {
    return writeSheet(await readRates(db, clock.now()), separator)
  }

  return { importSheet, tryNumber, exportSheet, current: () => readRates(db, clock.now()) }
}
export type RateImports = ReturnType<typeof createRateImports>

/** `isOwn`: of the account's own deck. */
export type FoundRate = { rate: Rate; isOwn: boolean }

function ratesAfter(plan: ChangePlan, stored: StoredRate[], accounts: Map<string, number>): DeckRate[] {
  const dropped = new Set(plan.dropped)
  const ends = new Map(plan.ended.map(({ rate, until }) => [rate, until]))
  const kept = stored.filter((rate) => !dropped.has(rate))
  return [
    ...kept.map((rate) => (ends.has(rate) ? { ...rate, until: ends.get(rate) ?? null } : rate)),
    ...plan.added.map((rate) => ({ ...rate, accountId: accounts.get(rate.domain) ?? null })),
  ]
}

const noAccount = (domain: string) => ({
  en: `there is no account ${domain}`,
  pt: `não existe a conta ${domain}`,
})
