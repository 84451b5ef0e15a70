/**
 * The position of packets in a recording: their RTP timestamps, counted from an anchor packet that was placed by its
 * arrival time. A new source, a drifting clock or a jump of the timestamps sets a new anchor.
 */
import { type RtpHeader, sequenceStep, timestampStep } from '../rtp/rtp.ts'

/** 200 ms ahead of our clock is more than jitter: the sender's clock is too fast, or has jumped. */
const maxAhead = 1600
/** Two seconds behind our clock is more than a delay. */
const maxBehind = 16_000
/** Consecutive late packets, in order, after which the anchor must be wrong. */
const maxConsecutiveLate = 5

export function createTimeline() {
  let isAnchored = false
  let ssrc = 0
  let position = 0
  let timestamp = 0
  let consecutiveLate = 0
  let lastLate = 0

  function anchor(header: RtpHeader, arrival: number): number {
    isAnchored = true
    ssrc = header.ssrc
    position = arrival
    timestamp = header.timestamp
    consecutiveLate = 0
    return arrival
  }

  /**
   * The position in samples, or -1 if the packet is too late. `arrival` is the current position of the clock;
   * samples before `written` can no longer be changed. `framesPerTick` converts the RTP clock to samples.
   */
  function place(header: RtpHeader, arrival: number, written: number, framesPerTick: number): number {
    if (!isAnchored || header.ssrc !== ssrc) return anchor(header, arrival)
    const step = timestampStep(timestamp, header.timestamp)
    const at = position + (framesPerTick === 1 ? step : Math.round(step * framesPerTick))
    if (at - arrival > maxAhead || arrival - at > maxBehind) return anchor(header, arrival)
    if (at >= written) {
      consecutiveLate = 0
      return at
    }
    // A talk spurt that begins in the past: the sender's timestamps stood still during its silence.
    if (header.marker) return anchor(header, arrival)
    const follows = consecutiveLate > 0 && sequenceStep(lastLate, header.sequence) > 0
    consecutiveLate = follows ? consecutiveLate + 1 : 1
    lastLate = header.sequence
    return consecutiveLate >= maxConsecutiveLate ? anchor(header, arrival) : -1
  }

  return { place }
}
