/**
 * A token bucket limits a rate: it holds `burst` tokens at most, gains `perSecond` of them, and each event takes one.
 * It is plain data, since some limits are kept for tens of thousands of addresses. Times are in milliseconds.
 */
export type Rate = { perSecond: number; burst: number }
export type TokenBucket = { tokens: number; filledAt: number }

export function fullBucket({ burst }: Rate, now: number): TokenBucket {
  return { tokens: burst, filledAt: now }
}

/** Adds what it has gained. Tokens may be negative, for a debt. */
export function refill(bucket: TokenBucket, { perSecond, burst }: Rate, now: number) {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) * perSecond) / 1000)
  bucket.filledAt = now
}

/** Takes a token, or as many as the event costs, if they are there. */
export function takeToken(bucket: TokenBucket, rate: Rate, now: number, cost = 1): boolean {
  refill(bucket, rate, now)
  if (bucket.tokens < cost) return false
  bucket.tokens -= cost
  return true
}
