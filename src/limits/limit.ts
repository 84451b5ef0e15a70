/** The limits of an account: what the operator has set for it, or the defaults of the settings. Pure. */
import type { AccountProof, LimitSource } from '../contract/accounts/account-limits.ts'
import type { Centavos } from '../kit/text/money.ts'

/** Calls that may be under way at once (D176). */
export type CallsAtOnce = { extension: number; account: number }

/** D193 to D195: from the settings. */
export type LimitDefaults = {
  callsAtOnce: CallsAtOnce
  callsPerDay: number
  spendingPerDay: Centavos
  /** Until the account is proven. */
  newAccount: { callsPerDay: number; spendingPerDay: Centavos }
  international: boolean
}

/** What is stored of an account; null means the default. */
export type StoredLimits = {
  provenBy: AccountProof | null
  provenAt: Date | null
  callsAtOnce: { extension: number | null; account: number | null }
  callsPerDay: number | null
  spendingPerDay: Centavos | null
  international: boolean | null
  /** Prefixes of barred ranges that it may call. */
  ranges: string[]
}

export const nothingStored: StoredLimits = {
  provenBy: null,
  provenAt: null,
  callsAtOnce: { extension: null, account: null },
  callsPerDay: null,
  spendingPerDay: null,
  international: null,
  ranges: [],
}

type Limit<T> = { value: T; source: LimitSource }

export type AccountLimits = {
  proof: { by: AccountProof; at: Date } | undefined
  callsAtOnce: Limit<CallsAtOnce>
  callsPerDay: Limit<number>
  spendingPerDay: Limit<Centavos>
  international: Limit<boolean>
  ranges: ReadonlySet<string>
}

/** D195: an account that nothing has proven gets the smaller defaults, and no call abroad. */
export function effectiveLimits(stored: StoredLimits, defaults: LimitDefaults): AccountLimits {
  const { provenBy, provenAt } = stored
  const proof = provenBy && provenAt ? { by: provenBy, at: provenAt } : undefined
  const ofDay = proof ? defaults : defaults.newAccount
  const fallback: LimitSource = proof ? 'default' : 'new-account'
  return {
    proof,
    callsAtOnce: atOnce(stored, defaults),
    callsPerDay: limitOf(stored.callsPerDay, ofDay.callsPerDay, fallback),
    spendingPerDay: limitOf(stored.spendingPerDay, ofDay.spendingPerDay, fallback),
    international: limitOf(stored.international, proof !== undefined && defaults.international, fallback),
    ranges: new Set(stored.ranges),
  }
}

function atOnce({ callsAtOnce: { extension, account } }: StoredLimits, defaults: LimitDefaults) {
  const isSet = extension !== null || account !== null
  return {
    value: {
      extension: extension ?? defaults.callsAtOnce.extension,
      account: account ?? defaults.callsAtOnce.account,
    },
    source: isSet ? ('account' as const) : ('default' as const),
  }
}

function limitOf<T>(set: T | null, value: T, source: LimitSource): Limit<T> {
  return set === null ? { value, source } : { value: set, source: 'account' }
}
