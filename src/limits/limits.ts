/**
 * Limits: what an account may do in a day and where it may call (D193 to D195). They are cached, and forgotten by a notice
 * of the database when they change: placing a call reads nothing for them.
 */

import { findAccountIds } from '../accounts/account-lookup-store.ts'
import type { DailyCeilings } from '../billing/credit/daily-use.ts'
import type { AccountProof } from '../contract/accounts/account-limits.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import { andThen, type Maybe } from '../kit/maybe.ts'
import { type Centavos, toReais } from '../kit/text/money.ts'
import type { Database } from '../store/database.ts'
import { type Notices, notify } from '../store/notices/notices.ts'
import { createNotifiedCache } from '../store/notices/notified-cache.ts'
import { recordAudit } from '../users/audit/audit.ts'
import { type AccountLimits, type CallsAtOnce, effectiveLimits, type LimitDefaults } from './limit.ts'
import { putLimits, putProof, readLimits } from './limits-store.ts'

const channel = 'account_limits_changed'

/** By the operator. Undefined leaves a limit as it is, null means the default. */
export type LimitChange = {
  callsAtOnce?: number | null
  callsAtOncePerExtension?: number | null
  callsPerDay?: number | null
  spendingPerDay?: Centavos | null
  international?: boolean | null
  proven?: boolean
  /** Prefixes of ranges. */
  allow?: string[]
  bar?: string[]
}

type Deps = {
  db: Database
  clock: Clock
  notices: Pick<Notices, 'listen' | 'connected' | 'onGap' | 'onConnected'>
  defaults: LimitDefaults
}

export function createLimits({ db, clock, notices, defaults }: Deps) {
  const cache = createNotifiedCache<AccountLimits>({
    notices,
    clock,
    lifetimeMs: 600_000,
    maxEntries: 20_000,
  })

  notices.listen(channel, (accountId) => cache.invalidate([accountId]))

  /** Answers synchronously when cached. */
  function of(accountId: number): Maybe<AccountLimits> {
    const key = String(accountId)
    const cached = cache.get(key)?.value
    return cached ?? load(key, accountId)
  }

  async function load(key: string, accountId: number): Promise<AccountLimits> {
    const limits = await cache.load(key, async () => await read(db, accountId))
    return limits ?? (await read(db, accountId))
  }

  /** As stored now, for those who want to see a change at once. */
  async function read(from: Database, accountId: number): Promise<AccountLimits> {
    return effectiveLimits(await readLimits(from, accountId), defaults)
  }

  /** D176 */
  function atOnceOf(accountId: number): Maybe<CallsAtOnce> {
    return andThen(of(accountId), ({ callsAtOnce }) => callsAtOnce.value)
  }

  function ceilingsOf(accountId: number): Maybe<DailyCeilings> {
    return andThen(of(accountId), dailyCeilings)
  }

  /** D195: in the transaction of what proves the account. Later proofs change nothing. */
  async function prove(tx: Database, accountId: number, by: AccountProof) {
    const isFirst = await putProof(tx, accountId, by, clock.now())
    if (isFirst) await notify(tx, channel, String(accountId))
  }

  /** By the operator; undefined if there is no such account. */
  async function change(domain: string, wanted: LimitChange) {
    return await db.transaction().execute(async (tx) => {
      const accountId = (await findAccountIds(tx, [domain])).get(domain)
      if (accountId === undefined) return undefined
      const { callsAtOnce, callsAtOncePerExtension, callsPerDay, spendingPerDay, international } = wanted
      const { proven, allow = [], bar = [] } = wanted
      const isChange = Object.keys(wanted).length > 0
      if (isChange) {
        const now = clock.now()
        const { ranges } = await read(tx, accountId)
        const allowed = [...new Set([...ranges, ...allow])].filter((prefix) => !bar.includes(prefix))
        await putLimits(tx, {
          account_id: accountId,
          ranges: allowed.sort(),
          ...defined({
            calls_at_once: callsAtOnce,
            calls_at_once_extension: callsAtOncePerExtension,
            calls_per_day: callsPerDay,
            spending_per_day: spendingPerDay,
            international,
          }),
          ...(proven === false && { proven_by: null, proven_at: null }),
        })
        if (proven) await putProof(tx, accountId, 'operator', now)
        await recordAudit(tx, {
          accountId,
          at: now,
          action: 'account.limits-changed',
          actor: null,
          subject: domain,
          details: {
            ...wanted,
            ...(typeof spendingPerDay === 'number' && { spendingPerDay: toReais(spendingPerDay) }),
          },
        })
        await notify(tx, channel, String(accountId))
      }
      return { accountId, limits: await read(tx, accountId) }
    })
  }

  return { of, read: (accountId: number) => read(db, accountId), atOnceOf, ceilingsOf, prove, change }
}
export type Limits = ReturnType<typeof createLimits>

export function dailyCeilings({ callsPerDay, spendingPerDay }: AccountLimits): DailyCeilings {
  return { calls: callsPerDay.value, spending: spendingPerDay.value }
}
