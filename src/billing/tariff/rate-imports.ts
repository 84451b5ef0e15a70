/** Sheets of rates put into force, or only compared with what holds. */
import { findAccountIds } from '../../accounts/account-lookup.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { type Plan, planChanges, type StoredRate } from './rate-changes.ts'
import { readSheet, writeSheet } from './rate-sheet.ts'
import { deleteRates, endRates, insertRates, lockRates, readRates, tellRatesChanged } from './rates-store.ts'

type Deps = { db: Database; clock: Clock }

type Options = {
  apply: boolean
  /** What the sheet does not name ends, in the decks that it names. */
  replace: boolean
}

export function createRateImports({ db, clock }: Deps) {
  /** Nothing is done while there are problems, nor unless it is to be applied. */
  async function importSheet(text: string, { apply, replace }: Options): Promise<Plan> {
    const sheet = readSheet(text)
    return await db.transaction().execute(async (tx) => {
      if (apply) await lockRates(tx)
      const domains = [...new Set(sheet.rates.map(({ domain }) => domain))].filter((domain) => domain !== '')
      const accounts = await findAccountIds(tx, domains)
      const strangers = domains.filter((domain) => !accounts.has(domain))
      const plan = planChanges(await readStored(tx), sheet.rates, clock.now(), replace)
      plan.problems.unshift(...sheet.problems, ...strangers.map((domain) => `there is no account ${domain}`))
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
      await tellRatesChanged(tx)
      return plan
    })
  }

  async function exportSheet(): Promise<string> {
    return writeSheet(await readStored(db))
  }

  async function readStored(handle: Database): Promise<StoredRate[]> {
    const rows = await readRates(handle, clock.now())
    return rows.map((row) => ({
      id: row.id,
      domain: row.domain ?? '',
      prefix: row.prefix,
      name: row.name,
      minutePrice: row.minute_price,
      firstBlock: row.first_block,
      step: row.step,
      grace: row.grace,
      from: row.valid_from,
      until: row.valid_until,
    }))
  }

  return { importSheet, exportSheet }
}
