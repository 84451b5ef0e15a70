/** Plays a tone to one side, packet by packet, in the codec of that side. */
import { createPacer, packetMs } from '../rtp/pacer.ts'
import { rtpHeaderLength } from '../rtp/rtp.ts'
import { checkTone, renderTone, type Tone } from '../sound/tone.ts'
import type { OutgoingStream } from './outgoing-stream.ts'
import type { NegotiatedCodec } from './payload-routes.ts'

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
  checkTone(tone)
  const pacer = createPacer(now)
  const packets = durationMs === undefined ? Infinity : Math.ceil(durationMs / packetMs)
  let isFirst = true
  let ended = false
  outgoing.beginTone(now)

  /** Sends the packets that are due. False once the tone has ended. */
  function tick(at: number, sendAs: NegotiatedCodec | undefined, send: (packet: Buffer) => void) {
    pacer.sendDue(at, (index) => {
      if (index >= packets) ended = true
      if (ended || !sendAs) return
      const payloads = renderTone(tone, sendAs.codec)
      const payload = payloads[index % payloads.length]
      if (!payload) return
      const packet = Buffer.allocUnsafe(rtpHeaderLength + payload.length)
      outgoing.writeToneHeader(packet, sendAs.number, { index, marker: isFirst, now: at })
      packet.set(payload, rtpHeaderLength)
      isFirst = false
      send(packet)
    })
    return !ended
  }

  /** Continues after something else was sent to the side. */
  function resume(at: number) {
    outgoing.beginTone(at, Math.floor((at - now) / packetMs))
  }

  return { tick, resume, untilMedia }
}
export type TonePlayer = ReturnType<typeof createTonePlayer>
