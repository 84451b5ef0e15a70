/**
 * D473: how often the phones of one extension may register and call, from whatever addresses: every registration of
 * another phone is stored and displaces the one before. Only requests with the right password count, so that a stranger
 * cannot use up what the phone needs.
 */
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, type TokenBucket, takeToken } from '../../../kit/token-bucket.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import type { ExtensionName } from '../../port.ts'
import { createRecentMap } from './recent-map.ts'

const rates = {
  REGISTER: { perSecond: 1, burst: 30 },
  INVITE: { perSecond: 2, burst: 200 },
}
const maxExtensions = 50_000

/** With a 503: phones try again after these seconds. */
export const tooOften: HeaderPairs = [['Retry-After', '5']]
/** Answered this late: a phone that asks again as soon as it is answered costs little. */
export const tooOftenDelayMs = 2_000

export function createExtensionRates({ timers }: { timers: Timers }) {
  const buckets = createRecentMap<TokenBucket>(maxExtensions)

  return {
    /** False beyond the rate. */
    take(method: keyof typeof rates, { number, domain }: ExtensionName): boolean {
      const key = `${method} ${number}@${domain}`
      const now = timers.now()
      const bucket = buckets.get(key) ?? fullBucket(rates[method], now)
      buckets.set(key, bucket)
      return takeToken(bucket, rates[method], now)
    },
  }
}
export type ExtensionRates = ReturnType<typeof createExtensionRates>
