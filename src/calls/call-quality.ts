/** D284: the quality of a call as it is stored and shown, per leg. */
import type { LegQuality as StoredLeg, StoredQuality } from '../contract/calls/call-record.ts'
import type { CallQuality, LegQuality } from '../engine/port.ts'

/** For the call record; null if nothing was measured. */
export function storedQuality(quality: CallQuality | undefined): StoredQuality | null {
  if (!quality?.extension && !quality?.other) return null
  return { extension: write(quality.extension), destination: write(quality.other) }
}

function write(leg: LegQuality | undefined): StoredLeg | null {
  if (!leg) return null
  const { packets, lossPercent, droppedByKernel, jitterMs, roundTripMs, rFactor } = leg
  return {
    packets,
    loss: round(lossPercent, 100),
    ...(droppedByKernel !== undefined && { dropped: droppedByKernel }),
    jitter: round(jitterMs, 10),
    roundTrip: roundTripMs === undefined ? null : Math.round(roundTripMs),
    rFactor: round(rFactor, 10),
  }
}

const round = (value: number, parts: number) => Math.round(value * parts) / parts
