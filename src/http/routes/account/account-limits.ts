/** What the account may do, what it has used today, and why something is off (D193 to D195). */
import type { Ledger } from '../../../billing/ledger/ledger.ts'
import { AccountLimits } from '../../../contract/accounts/account-limits.ts'
import type { Language } from '../../../kit/text/language.ts'
import { toReais } from '../../../kit/text/money.ts'
import type { AccountLimits as Found } from '../../../limits/limit.ts'
import type { Limits } from '../../../limits/limits.ts'
import { ranges } from '../../../limits/ranges.ts'
import { type AnyEntry, entry } from '../../entry.ts'

type Deps = {
  limits: Limits
  ledger: Ledger
  /** The same for every account. */
  integrations: { perUser: number; perAccount: number }
}

export function accountLimitRoutes({ limits, ledger, integrations }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/accounts/limits',
      tag: 'Account',
      about: 'Show what the account may do, and what it has used today',
      may: 'limits.read',
      scope: ['calls:place', 'calls:read', 'billing', 'admin'],
      limit: 'other',
      reply: AccountLimits,
      translated: true,
      async run({ caller, language }) {
        const found = await limits.read(caller.accountId)
        const use = await ledger.dailyUse(caller)
        return {
          proven: found.proof !== undefined,
          provenBy: found.proof?.by ?? null,
          provenAt: found.proof?.at.toISOString() ?? null,
          dayBegan: use.day?.began.toISOString() ?? null,
          dayEnds: use.day?.ends.toISOString() ?? null,
          callsPerDay: {
            limit: found.callsPerDay.value,
            used: use.calls,
            source: found.callsPerDay.source,
          },
          spendingPerDay: {
            limit: toReais(found.spendingPerDay.value),
            used: toReais(use.spent + use.reserved),
            source: found.spendingPerDay.source,
          },
          callsAtOnce: { ...found.callsAtOnce.value, source: found.callsAtOnce.source },
          integrations,
          international: { enabled: found.international.value, source: found.international.source },
          ranges: presentRanges(found, language),
        }
      },
    }),
  ]
}

function presentRanges({ ranges: allowed }: Found, language: Language) {
  return ranges.map(({ prefix, name, reason }) => ({
    prefix,
    name: name[language],
    reason: reason[language],
    enabled: allowed.has(prefix),
  }))
}
