/** D284: the quality of a leg, from what arrived of its stream: loss, jitter, round trip, and an estimate by the E-model. */
import type { LegStatistics } from '../../../../media/thread/messages.ts'
import type { CallQuality, LegQuality } from '../../../port.ts'

/** ITU-T G.107 with its default values; what remains is delay and loss. */
const bestR = 93.2
/** ITU-T G.113, appendix I: how robust G.711 with concealment is against random loss, in percent. */
const lossRobustness = 25.1
const packetMs = 20
/** From this delay on people notice it in a conversation. */
const noticeableMs = 177.3

/** One way: half of the round trip, a packet, and a jitter buffer of twice the jitter. */
export function estimateR(lossPercent: number, jitterMs: number, roundTripMs = 0): number {
  const delay = roundTripMs / 2 + packetMs + 2 * jitterMs
  const byDelay = 0.024 * delay + 0.11 * Math.max(0, delay - noticeableMs)
  const byLoss = (95 * lossPercent) / (lossPercent + lossRobustness)
  return Math.max(0, bestR - byDelay - byLoss)
}

/** Undefined if nothing arrived. */
export function legQuality({
  received,
  lost,
  jitterMs,
  roundTripMs,
  droppedByKernel,
}: Pick<LegStatistics, 'received' | 'lost' | 'jitterMs' | 'roundTripMs' | 'droppedByKernel'>):
  | LegQuality
  | undefined {
  const { packets } = received
  if (packets === 0) return undefined
  const lossPercent = (100 * lost) / (packets + lost)
  return {
    packets,
    lost,
    droppedByKernel,
    lossPercent,
    jitterMs,
    roundTripMs,
    rFactor: estimateR(lossPercent, jitterMs, roundTripMs),
  }
}

export function callQuality(sides: Record<'extension' | 'other', LegStatistics>): CallQuality {
  return { extension: legQuality(sides.extension), other: legQuality(sides.other) }
}

/** Below it many users are dissatisfied (G.107, annex B). */
const poorR = 70

/** For the metrics. */
export function createQualityTotals() {
  const totals = { legs: 0, poor: 0, received: 0, lost: 0 }
  return {
    add({ extension, other }: CallQuality) {
      for (const leg of [extension, other]) {
        if (!leg) continue
        totals.legs += 1
        totals.received += leg.packets
        totals.lost += leg.lost
        if (leg.rFactor < poorR) totals.poor += 1
      }
    },
    metrics: () => ({
      legs_measured_total: totals.legs,
      legs_poor_total: totals.poor,
      leg_packets_received_total: totals.received,
      leg_packets_lost_total: totals.lost,
    }),
  }
}
