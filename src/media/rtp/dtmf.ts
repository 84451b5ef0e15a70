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

/** A digit lasts 100 ms, its end is sent three times (RFC 4733, 2.5.1.4), and 60 ms pass before the next digit. */
const digitPackets = 5
const endPackets = 3
const pausePackets = 3
/** The packets of 20 ms that a digit takes, with its pause. */
export const packetsPerDigit = digitPackets + endPackets + pausePackets
/** In dBm0, without the minus sign. */
const volume = 10

/** The payload of packet `index` of a digit; undefined during its pause. */
export function digitPayload(digit: string, index: number, ticksPerPacket: number): Buffer | undefined {
  if (index >= digitPackets + endPackets) return undefined
  const payload = Buffer.alloc(4)
  payload.writeUInt8(dtmfDigits.indexOf(digit), 0)
  payload.writeUInt8((index >= digitPackets ? 0x80 : 0) | volume, 1)
  payload.writeUInt16BE(ticksPerPacket * Math.min(index + 1, digitPackets), 2)
  return payload
}
