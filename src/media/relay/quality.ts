/**
 * The quality of a side's stream, as packets arrive (D284): jitter as RFC 3550 (A.8) computes it, and the time to the side
 * and back. Reports are relayed from side to side, so that time is measured by them: when a sender report went to the
 * side, and when the side's report about it came.
 */
import type { RtpHeader } from '../rtp/rtp.ts'

/** Sender reports that may still be answered. */
const maxReports = 16
const ntpUnitsPerMs = 65.536

export function createQuality() {
  let ssrc = -1
  let transit = 0
  let jitter = 0
  let ticksPerMs = 8
  let roundTripMs: number | undefined
  /** By the middle of their NTP time: when they were sent. */
  const reports = new Map<number, number>()

  return {
    onPacket(header: RtpHeader, clockRate: number, now: number) {
      ticksPerMs = clockRate / 1000
      const nextTransit = (now * ticksPerMs - header.timestamp) | 0
      if (header.ssrc === ssrc) jitter += (Math.abs((nextTransit - transit) | 0) - jitter) / 16
      ssrc = header.ssrc
      transit = nextTransit
    },
    onReportSent(ntpMiddle: number, now: number) {
      if (reports.size >= maxReports) for (const oldest of reports.keys()) if (reports.delete(oldest)) break
      reports.set(ntpMiddle, now)
    },
    /** `lastReport` and `delay` are those of a report block, in the units of RFC 3550, 6.4.1. */
    onReportReceived(lastReport: number, delay: number, now: number) {
      const sentAt = reports.get(lastReport)
      if (sentAt === undefined) return
      const measured = now - sentAt - delay / ntpUnitsPerMs
      if (measured >= 0) roundTripMs = measured
    },
    jitterMs: () => jitter / ticksPerMs,
    roundTripMs: () => roundTripMs,
  }
}
