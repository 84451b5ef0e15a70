/** D118: when a call that failed on one trunk is tried on the next. */
import type { LegFailure } from '../../../sip/dialog/leg.ts'

/** Failures of the carrier, not of the destination. */
const carrierFailures = new Set([500, 502, 503, 504])

/** Q.850 causes of the destination, for which another carrier would respond the same. */
const destinationCauses = new Set([1, 17, 18, 19, 20, 21, 22, 28])

/** Not used once the destination rang, which must not ring again by another trunk. */
export function shouldTryNext({ why, status, q850 }: LegFailure): boolean {
  if (why === 'cancelled') return false
  if (why === 'timeout' || why === 'transport') return true
  if (q850 !== undefined && destinationCauses.has(q850)) return false
  return status !== undefined && carrierFailures.has(status)
}
