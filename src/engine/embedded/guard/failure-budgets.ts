/**
 * D181: failed attempts at the password of one extension, from all sources together: thirty, then one a minute. Beyond
 * that, attempts are refused as if the password were wrong, without looking at it. So that an attacker cannot lock out the
 * phone itself,
 *
 * - from an address at which the extension has authenticated before, its password is always checked; the host stores these;
 * - the credentials of a browser's phone, which nobody can guess, are always checked, and their failures count for nobody;
 * - an attempt that was not checked is no failure of anybody;
 * - failures at another password than the present one do not count.
 */
import { addressBlock } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, refill, type TokenBucket } from '../../../kit/token-bucket.ts'
import type { Credentials, ExtensionName } from '../../port.ts'
import { createRecentMap } from './recent-map.ts'

const rate = { perSecond: 1 / 60, burst: 30 }
const maxExtensions = 50_000
const maxAddresses = 4

/** An attempt to authenticate as an extension. */
export type Attempt = {
  extension: ExtensionName
  address: string
  /** Budget of the extension; undefined if there is no such extension. */
  credentials: Credentials | undefined
  /** With the credentials of a browser's phone. */
  isTemporary: boolean
}

type Budget = TokenBucket & { password: string | undefined }

type Deps = {
  timers: Timers
  /** The extension has authenticated at a new address; all that are known, the latest last. */
  onKnown?: ((extension: ExtensionName, blocks: readonly string[]) => void) | undefined
}

export function createFailureBudgets({ timers, onKnown }: Deps) {
  const budgets = createRecentMap<Budget>(maxExtensions)
  /** The addresses of the last successes of an extension, the latest last. */
  const known = createRecentMap<readonly string[]>(maxExtensions)

  function findBudget({ extension, credentials }: Attempt): Budget | undefined {
    const found = budgets.get(keyOf(extension))
    if (!found || found.password !== credentials?.password) return undefined
    refill(found, rate, timers.now())
    return found
  }

  /** Those that this node has seen come after those that were stored, perhaps by another. */
  function blocksOf({ extension, credentials }: Attempt): readonly string[] {
    const seen = known.get(keyOf(extension)) ?? []
    const stored = credentials?.knownAddresses ?? []
    return [...stored.filter((block) => !seen.includes(block)), ...seen]
  }

  return {
    mayTry(attempt: Attempt): boolean {
      if (attempt.isTemporary) return true
      const budget = findBudget(attempt)
      return !budget || budget.tokens >= 1 || blocksOf(attempt).includes(addressBlock(attempt.address))
    },
    /** Result of an attempt that was checked. */
    failed(attempt: Attempt) {
      if (attempt.isTemporary) return
      let budget = findBudget(attempt)
      if (!budget) {
        budget = { ...fullBucket(rate, timers.now()), password: attempt.credentials?.password }
        budgets.set(keyOf(attempt.extension), budget)
      }
      budget.tokens = Math.max(0, budget.tokens - 1)
    },
    succeeded(attempt: Attempt) {
      const block = addressBlock(attempt.address)
      const before = blocksOf(attempt)
      if (before.at(-1) === block) return
      const blocks = [...before.filter((one) => one !== block), block].slice(-maxAddresses)
      known.set(keyOf(attempt.extension), blocks)
      if (!before.includes(block)) onKnown?.(attempt.extension, blocks)
    },
  }
}
export type FailureBudgets = ReturnType<typeof createFailureBudgets>

function keyOf({ domain, number }: ExtensionName): string {
  return `${number}@${domain}`
}
