/** How many calls a trunk may carry at once, and how many it may begin in a second. */
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
    /** For a call of ours; undefined when there is no room. What is returned gives the channel back, once. */
    take(): (() => void) | undefined {
      if (used >= channels || !takeToken(bucket, rate, timers.now())) {
        refused += 1
        return undefined
      }
      return occupy()
    },
    /** For a call of theirs: how fast they come is the carrier's business. */
    takeInbound(): (() => void) | undefined {
      if (used < channels) return occupy()
      refused += 1
      return undefined
    },
    used: () => used,
    refused: () => refused,
  }
}
