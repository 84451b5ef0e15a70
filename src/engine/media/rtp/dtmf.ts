/** DTMF digits sent as RTP telephone events (RFC 4733). */
import { type RtpHeader, timestampStep } from './rtp.ts'

/** In the order of their event codes. */
export const dtmfDigits = '0123456789*#ABCD'

/** The telephone event seen last, from which a repetition is recognised. */
export type DtmfState = { ssrc: number; timestamp: number }

/** A digit is sent in many packets with the same timestamp; only the first of them returns the digit. */
export function readDigit(
  state: DtmfState,
  packet: Buffer,
  { ssrc, timestamp, payloadStart }: RtpHeader,
): string | undefined {
  if (state.ssrc === ssrc && timestampStep(state.timestamp, timestamp) <= 0) return undefined
  state.ssrc = ssrc
  state.timestamp = timestamp
  return dtmfDigits[packet[payloadStart] ?? dtmfDigits.length]
}

/** Converts the duration of a telephone event (RFC 4733, 2.3.5) to another RTP clock. */
export function scaleDuration(packet: Buffer, { payloadStart, payloadEnd }: RtpHeader, clockRatio: number) {
  if (payloadEnd - payloadStart < 4) return
  const duration = Math.round(packet.readUInt16BE(payloadStart + 2) * clockRatio)
  packet.writeUInt16BE(Math.min(duration, 0xffff), payloadStart + 2)
}
