/** Sends pressed keys to one side: as telephone events if it negotiated them, otherwise as tones in its sound (D280). */
import { digitPayload, packetsPerDigit } from '../rtp/dtmf.ts'
import { createPacer } from '../rtp/pacer.ts'
import { rtpHeaderLength } from '../rtp/rtp.ts'
import { keyTone } from '../sound/key-tones.ts'
import { renderTone } from '../sound/tone.ts'
import type { OutgoingStream } from './outgoing-stream.ts'
import type { NegotiatedCodec } from './payload-routes.ts'

/** `telephoneEvent`: the payload type that the side has for it. */
export type KeyFormats = { codec: NegotiatedCodec | undefined; telephoneEvent: number | undefined }

const maxQueued = 64

export function createKeyPlayer(outgoing: OutgoingStream, now: number) {
  const pacer = createPacer(now)
  let keys = ''
  /** How many packets of the first key were due. The pacer may leave packets out, a key is sent as a whole. */
  let part = 0
  let startIndex = 0
  outgoing.beginTone(now)

  function packetOf(key: string, index: number, { codec, telephoneEvent }: KeyFormats) {
    if (telephoneEvent !== undefined) {
      const payload = digitPayload(key, index, outgoing.ticksPerPacket())
      return payload && { payload, number: telephoneEvent, isEvent: true }
    }
    const payload = codec && renderTone(keyTone(key), codec.codec)[index]
    return payload && { payload, number: codec.number, isEvent: false }
  }

  /** Sends the packets that are due. False once the last key was sent. */
  function tick(at: number, formats: KeyFormats, send: (packet: Buffer) => void): boolean {
    pacer.sendDue(at, (index) => {
      if (part === packetsPerDigit) {
        keys = keys.slice(1)
        part = 0
      }
      if (keys === '') return
      if (part === 0) startIndex = index
      const found = packetOf(keys.charAt(0), part, formats)
      const marker = part === 0
      part += 1
      if (!found) return
      const packet = Buffer.allocUnsafe(rtpHeaderLength + found.payload.length)
      const times = { index, marker, now: at }
      const header = found.isEvent ? { ...times, startIndex } : times
      outgoing.writeToneHeader(packet, found.number, header)
      packet.set(found.payload, rtpHeaderLength)
      send(packet)
    })
    return keys !== ''
  }

  return {
    press(more: string) {
      keys = (keys + more).slice(0, maxQueued)
    },
    tick,
  }
}
export type KeyPlayer = ReturnType<typeof createKeyPlayer>
