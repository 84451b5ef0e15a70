/**
 * D190: how often numbers may be called to verify them, so that it is no way to ring people for the sake of ringing.
 * Counted in the database, whichever process places the call.
 */
import type { CallCounts } from './number-calls-store.ts'

export const daySeconds = 86_400
const maxOfAccount = 10
const maxToNumber = 5
const pauseSeconds = 60
/** How long a call lasts at most. */
export const ringSeconds = 45
export const typingSeconds = 60
export const callSeconds = ringSeconds + typingSeconds

/** Seconds until another call may be placed; undefined if it may be placed now. */
export function secondsToWait({ ofAccount, toNumber, hasLive }: CallCounts, now: Date): number | undefined {
  const until = (from: Date | null, seconds: number) =>
    from ? Math.ceil((from.getTime() - now.getTime()) / 1000) + seconds : 0
  const waits = [
    ofAccount.calls >= maxOfAccount ? until(ofAccount.oldest, daySeconds) : 0,
    toNumber.calls >= maxToNumber ? until(toNumber.oldest, daySeconds) : 0,
    until(toNumber.newest, pauseSeconds),
    hasLive ? pauseSeconds : 0,
  ]
  const longest = Math.max(...waits)
  return longest > 0 ? longest : undefined
}
