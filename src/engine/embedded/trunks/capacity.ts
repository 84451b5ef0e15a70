/** The capacity of a trunk: concurrent calls, and new calls per second. */
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, takeToken } from '../../../kit/token-bucket.ts'
import type { TrunkShare } from '../../port.ts'

type Size = { channels: number; callsPerSecond: number }

export function createCapacity({ channels, callsPerSecond, timers }: Size & { timers: Timers }) {
  let used = 0
  let begun = 0
  let own: Size = { channels, callsPerSecond }
  let share: TrunkShare | undefined
  let max = channels
  let rate = { perSecond: callsPerSecond, burst: callsPerSecond }
  const bucket = fullBucket(rate, timers.now())
  let refused = 0

  function occupy(): () => void {
    let held = true
    used += 1
    return () => {
      if (held) used -= 1
      held = false
    }
  }

  function apply() {
    max = share?.channels ?? own.channels
    const perSecond = share?.callsPerSecond ?? own.callsPerSecond
    // A share below one call a second still collects a whole one.
    rate = { perSecond, burst: Math.max(1, perSecond) }
  }

  return {
    /** For an outgoing call; undefined without a free channel or token. The result releases the channel, once. */
    take(): (() => void) | undefined {
      if (used >= max || !takeToken(bucket, rate, timers.now())) {
        refused += 1
        return undefined
      }
      begun += 1
      return occupy()
    },
    /** For a call from the carrier, whose rate is not limited. */
    takeInbound(): (() => void) | undefined {
      if (used < max) return occupy()
      refused += 1
      return undefined
    },
    /** D250: the share of this node, where other nodes use the trunk too; undefined if none does. */
    limit(agreed: TrunkShare | undefined) {
      share = agreed
      apply()
    },
    /** The trunk was changed; its calls keep their channels. A share holds until the next agreement. */
    resize(size: Size) {
      own = size
      apply()
    },
    used: () => used,
    /** Outgoing calls so far. */
    begun: () => begun,
    refused: () => refused,
  }
}
export type Capacity = ReturnType<typeof createCapacity>
