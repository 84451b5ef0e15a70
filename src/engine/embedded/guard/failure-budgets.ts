/**
 * D181: failed attempts at the password of one extension, from all sources together: thirty, then one a minute. Beyond
 * that, attempts are refused as if the password were wrong, without looking at it. An attacker cannot lock out the phone
 * itself: from an address at which the extension has authenticated before, its password is always checked.
 */
import { addressBlock } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, refill, type TokenBucket } from '../../../kit/token-bucket.ts'
import type { ExtensionName } from '../../port.ts'
import { createRecentMap } from './recent-map.ts'

const rate = { perSecond: 1 / 60, burst: 30 }
const maxExtensions = 50_000
const maxAddresses = 4

export function createFailureBudgets({ timers }: { timers: Timers }) {
  const budgets = createRecentMap<TokenBucket>(maxExtensions)
  /** The addresses of the last successes of an extension, the latest last. */
  const known = createRecentMap<readonly string[]>(maxExtensions)

  function budgetOf(key: string): TokenBucket {
    const found = budgets.get(key)
    if (found) return found
    const fresh = fullBucket(rate, timers.now())
    budgets.set(key, fresh)
    return fresh
  }

  return {
    mayTry(extension: ExtensionName, address: string): boolean {
      const budget = budgets.get(keyOf(extension))
      if (!budget) return true
      refill(budget, rate, timers.now())
      return budget.tokens >= 1 || (known.get(keyOf(extension))?.includes(addressBlock(address)) ?? false)
    },
    failed(extension: ExtensionName) {
      const budget = budgetOf(keyOf(extension))
      refill(budget, rate, timers.now())
      budget.tokens = Math.max(0, budget.tokens - 1)
    },
    succeeded(extension: ExtensionName, address: string) {
      const [key, block] = [keyOf(extension), addressBlock(address)]
      const before = known.get(key) ?? []
      if (before.at(-1) === block) return
      known.set(key, [...before.filter((one) => one !== block), block].slice(-maxAddresses))
    },
  }
}
export type FailureBudgets = ReturnType<typeof createFailureBudgets>

function keyOf({ domain, number }: ExtensionName): string {
  return `${number}@${domain}`
}
