/** Plays a tone to one side, packet by packet, in the codec of that side. */
import type { Law } from '../codecs/g711.ts'
import { createPacer, packetMs } from '../rtp/pacer.ts'
import { rtpHeaderLength } from '../rtp/rtp.ts'
import { renderTone, type Tone } from '../sound/tone.ts'
import type { OutgoingStream } from './outgoing-stream.ts'

const samplesPerPacket = 160

export type ToneRequest = {
  tone: Tone
  /** Ringback ends with the first media of the other side. */
  untilMedia?: boolean
  /** By default until stopped. */
  durationMs?: number
}

export function createTonePlayer(
  { tone, untilMedia = false, durationMs }: ToneRequest,
  outgoing: OutgoingStream,
  now: number,
) {
  // Rendered once here, so that an invalid tone is an error for the requester.
  renderTone(tone, 'PCMA')
  const pacer = createPacer(now)
  const packets = durationMs === undefined ? Infinity : Math.ceil(durationMs / packetMs)
  let isFirst = true
  let ended = false
  outgoing.beginTone(now)

  /** Sends the packets that are due. False once the tone has ended. */
  function tick(
    at: number,
    sendAs: { number: number; law: Law } | undefined,
    send: (packet: Buffer) => void,
  ) {
    pacer.sendDue(at, (index) => {
      if (index >= packets) ended = true
      if (ended || !sendAs) return
      const octets = renderTone(tone, sendAs.law)
      const packet = Buffer.allocUnsafe(rtpHeaderLength + samplesPerPacket)
      outgoing.writeToneHeader(packet, sendAs.number, { index, marker: isFirst, now: at })
      const from = (index * samplesPerPacket) % octets.length
      packet.set(octets.subarray(from, from + samplesPerPacket), rtpHeaderLength)
      isFirst = false
      send(packet)
    })
    return !ended
  }

  return { tick, untilMedia }
}
export type TonePlayer = ReturnType<typeof createTonePlayer>
