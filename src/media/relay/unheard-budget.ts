/**
 * D175: packets to an address that the SDP names, but that has sent none itself. It may be that of somebody who has
 * nothing to do with the call: after five seconds of sound it gets one packet a second, enough for a peer that waits for
 * our first packet. The budget is for the whole call: a new SDP does not renew it.
 */
const burstPackets = 250
const trickleMs = 1_000

export function createUnheardBudget() {
  let left = burstPackets
  let lastSentAt = Number.NEGATIVE_INFINITY

  return {
    /** Takes a packet from the budget; false if it must not be sent. */
    take(now: number): boolean {
      if (left > 0) left -= 1
      else if (now - lastSentAt < trickleMs) return false
      lastSentAt = now
      return true
    },
  }
}
