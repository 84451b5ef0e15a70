/** Speaks to one side of a call: one packet every 20 ms of what it plays, or of the key that is pressed. */
import { randomInt } from 'node:crypto'
import type { Law } from '../../media/codecs/g711.ts'
import { dtmfDigits } from '../../media/rtp/dtmf.ts'
import { rtpHeaderLength } from '../../media/rtp/rtp.ts'
import { type Play, playNothing, samplesPerPacket } from './audio-source.ts'

/** A key is held for 100 ms, its end is told three times (RFC 4733, 2.5.1.4), and 60 ms pass before the next. */
const heldPackets = 5
const endPackets = 3
const pausePackets = 3
const loudness = 10
const mostWaiting = 64

type Spoken = { law: Law; payloadType: number; telephoneEvent: number | undefined }
type Pressing = { key: number; sent: number; timestamp: number }

export function createMouth(send: (packet: Buffer) => void) {
  const ssrc = randomInt(1, 2 ** 32)
  const firstTimestamp = randomInt(2 ** 31)
  let sequence = randomInt(2 ** 15)
  let play: Play = playNothing()
  let waiting = ''
  let pressing: Pressing | undefined
  /** The first packet after a pause has the marker. */
  let fresh = true

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

  /** False when no key is pressed. */
  function press(spoken: Spoken, timestamp: number): boolean {
    if (!pressing && waiting !== '') {
      pressing = { key: dtmfDigits.indexOf(waiting.charAt(0)), sent: 0, timestamp }
      waiting = waiting.slice(1)
    }
    if (!pressing || spoken.telephoneEvent === undefined) {
      pressing = undefined
      return false
    }
    const { key, sent } = pressing
    if (sent < heldPackets + endPackets) {
      const event = Buffer.alloc(4)
      event.writeUInt8(key, 0)
      event.writeUInt8((sent >= heldPackets ? 0x80 : 0) | loudness, 1)
      event.writeUInt16BE(samplesPerPacket * Math.min(sent + 1, heldPackets), 2)
      write(spoken.telephoneEvent, sent === 0, pressing.timestamp, event)
    }
    pressing.sent += 1
    if (pressing.sent === heldPackets + endPackets + pausePackets) pressing = undefined
    return true
  }

  return {
    play(next: Play) {
      play = next
      fresh = true
    },
    hear: (octets: Uint8Array) => play.hear?.(octets),
    /** Keys there are none of are passed over. */
    press(wanted: string) {
      const known = [...wanted.toUpperCase()].filter((key) => dtmfDigits.includes(key))
      waiting = (waiting + known.join('')).slice(0, mostWaiting)
    },
    /** Packet number `index` is due; undefined when nobody may be spoken to. */
    tick(index: number, spoken: Spoken | undefined) {
      const timestamp = firstTimestamp + index * samplesPerPacket
      if (!spoken || press(spoken, timestamp)) return
      const octets = play.next(spoken.law)
      if (octets) write(spoken.payloadType, fresh, timestamp, octets)
      fresh = octets === undefined
    },
  }
}
