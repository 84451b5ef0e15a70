/** The capacity of a trunk: concurrent calls, and new calls per second. */
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, takeToken } from '../../../kit/token-bucket.ts'

type Settings = { channels: number; callsPerSecond: number; timers: Timers }

export function createCapacity({ channels, callsPerSecond, timers }: Settings) {
  let used = 0
  const rate = { perSecond: callsPerSecond, burst: callsPerSecond }
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

  return {
    /** For an outgoing call; undefined without a free channel or token. The result releases the channel, once. */
    take(): (() => void) | undefined {
      if (used >= channels || !takeToken(bucket, rate, timers.now())) {
        refused += 1
        return undefined
      }
      return occupy()
    },
    /** For a call from the carrier, whose rate is not limited. */
    takeInbound(): (() => void) | undefined {
      if (used < channels) return occupy()
      refused += 1
      return undefined
    },
    used: () => used,
    refused: () => refused,
  }
}
