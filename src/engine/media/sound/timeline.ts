/**
 * Where in a recording a packet belongs. Its timestamp tells, counted from a packet whose arrival set the
 * anchor; a new source, a clock that runs away or a jump in its numbers drops a new anchor.
 */
import { type RtpHeader, sequenceStep, timestampStep } from '../rtp/rtp.ts'

/** 200 ms ahead of the clock is no jitter: the sender counts faster than we do, or has jumped. */
const mostAhead = 1600
/** Two seconds behind it is no lateness either. */
const mostBehind = 16_000
/** So many late in a row, in order, and it is the anchor that is wrong. */
const lateInARow = 5

export function createTimeline() {
  let anchored = false
  let ssrc = 0
  let position = 0
  let timestamp = 0
  let lateRow = 0
  let lastLate = 0

  function anchor(header: RtpHeader, arrival: number): number {
    anchored = true
    ssrc = header.ssrc
    position = arrival
    timestamp = header.timestamp
    lateRow = 0
    return arrival
  }

  /**
   * The position in samples, or -1 for a packet too late. `arrival` is the clock's position now; what lies
   * before `written` can no longer be changed.
   */
  function place(header: RtpHeader, arrival: number, written: number): number {
    if (!anchored || header.ssrc !== ssrc) return anchor(header, arrival)
    const at = position + timestampStep(timestamp, header.timestamp)
    if (at - arrival > mostAhead || arrival - at > mostBehind) return anchor(header, arrival)
    if (at >= written) {
      lateRow = 0
      return at
    }
    // A talk spurt that begins in the past: a sender whose timestamps stood still in its silence.
    if (header.marker) return anchor(header, arrival)
    lateRow = lateRow > 0 && sequenceStep(lastLate, header.sequence) > 0 ? lateRow + 1 : 1
    lastLate = header.sequence
    return lateRow >= lateInARow ? anchor(header, arrival) : -1
  }

  return { place }
}
