/** Sends RTP to one side of a call: every 20 ms a packet of its audio source, or of a pressed digit. */
import { randomInt } from 'node:crypto'
import type { Codec } from '../../../media/codecs/codec.ts'
import { digitPayload, dtmfDigits, packetsPerDigit } from '../../../media/rtp/dtmf.ts'
import { packetMs } from '../../../media/rtp/pacer.ts'
import { rtpHeaderLength } from '../../../media/rtp/rtp.ts'
import { type AudioSource, noAudio } from './audio-source.ts'

const maxQueuedDigits = 64

type SendAs = { codec: Codec; payloadType: number; telephoneEvent: number | undefined }
type PressedDigit = { digit: string; sent: number; timestamp: number }

export function createRtpSender(send: (packet: Buffer) => void) {
  const ssrc = randomInt(1, 2 ** 32)
  const firstTimestamp = randomInt(2 ** 31)
  let sequence = randomInt(2 ** 15)
  let source: AudioSource = noAudio()
  let queuedDigits = ''
  let pressed: PressedDigit | undefined
  /** The first packet after a pause has the marker bit. */
  let isFirst = true

  function write(payloadType: number, marker: boolean, timestamp: number, payload: Uint8Array) {
    const packet = Buffer.allocUnsafe(rtpHeaderLength + payload.length)
    sequence = (sequence + 1) & 0xffff
    packet.writeUInt8(0x80, 0)
    packet.writeUInt8((marker ? 128 : 0) | payloadType, 1)
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(timestamp >>> 0, 4)
    packet.writeUInt32BE(ssrc, 8)
    packet.set(payload, rtpHeaderLength)
    send(packet)
  }

  /** False if no digit is to be sent. */
  function sendDigit(sendAs: SendAs, timestamp: number): boolean {
    if (!pressed && queuedDigits !== '') {
      pressed = { digit: queuedDigits.charAt(0), sent: 0, timestamp }
      queuedDigits = queuedDigits.slice(1)
    }
    if (!pressed || sendAs.telephoneEvent === undefined) {
      pressed = undefined
      return false
    }
    const { digit, sent } = pressed
    const payload = digitPayload(digit, sent, ticksPerPacket(sendAs.codec))
    if (payload) write(sendAs.telephoneEvent, sent === 0, pressed.timestamp, payload)
    pressed.sent += 1
    if (pressed.sent === packetsPerDigit) pressed = undefined
    return true
  }

  return {
    play(next: AudioSource) {
      source = next
      isFirst = true
    },
    receive: (octets: Uint8Array) => source.receive?.(octets),
    /** Other characters than DTMF digits are ignored. */
    press(digits: string) {
      const valid = [...digits.toUpperCase()].filter((digit) => dtmfDigits.includes(digit))
      queuedDigits = (queuedDigits + valid.join('')).slice(0, maxQueuedDigits)
    },
    /** Packet `index` is due. Without `sendAs` nothing may be sent. */
    tick(index: number, sendAs: SendAs | undefined) {
      if (!sendAs) return
      const timestamp = firstTimestamp + index * ticksPerPacket(sendAs.codec)
      if (sendDigit(sendAs, timestamp)) return
      const octets = source.next(sendAs.codec)
      if (octets) write(sendAs.payloadType, isFirst, timestamp, octets)
      isFirst = octets === undefined
    },
  }
}

const ticksPerPacket = ({ clockRate }: Codec) => (clockRate / 1000) * packetMs
