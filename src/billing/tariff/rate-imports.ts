/** Imports and exports sheets of rates; an import may be a dry run. */
import { findAccountIds } from '../../accounts/account-lookup-store.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { type ChangePlan, planChanges } from './rate-changes.ts'
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
}

export function createRateImports({ db, clock }: Deps) {
  /** Changes the rates only with `apply`, and only if the sheet has no problems. */
  async function importSheet(text: string, { apply, replace }: Options): Promise<ChangePlan> {
    const sheet = readSheet(text)
    return await db.transaction().execute(async (tx) => {
      if (apply) await lockRates(tx)
      const domains = [...new Set(sheet.rates.map(({ domain }) => domain))].filter((domain) => domain !== '')
      const accounts = await findAccountIds(tx, domains)
      const unknownDomains = domains.filter((domain) => !accounts.has(domain))
      const now = clock.now()
      const plan = planChanges(await readRates(tx, now), sheet.rates, now, replace)
      plan.problems.unshift(
        ...sheet.problems,
        ...unknownDomains.map((domain) => `there is no account ${domain}`),
      )
      if (!apply || plan.problems.length > 0) return plan
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
      await notifyRatesChanged(tx)
      return plan
    })
  }

  async function exportSheet(): Promise<string> {
    return writeSheet(await readRates(db, clock.now()))
  }

  return { importSheet, exportSheet, current: () => readRates(db, clock.now()) }
}
