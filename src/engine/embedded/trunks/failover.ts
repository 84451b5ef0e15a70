/** When a call that came to nothing on one trunk is tried on the next. */
import type { LegFailure } from '../../sip/dialog/leg.ts'

/** The carrier's own trouble, not the destination's. */
const carrierTrouble = new Set([500, 502, 503, 504])

/** Q.850 causes that speak of the called party: another carrier would say the same. */
const ofTheDestination = new Set([1, 17, 18, 19, 20, 21, 22, 28])

/** Not asked once it rang: whoever was rung must not be rung again by another way. */
export function shouldTryNext({ why, status, q850 }: LegFailure): boolean {
  if (why === 'cancelled') return false
  if (why === 'timeout' || why === 'transport') return true
  if (q850 !== undefined && ofTheDestination.has(q850)) return false
  return status !== undefined && carrierTrouble.has(status)
}
