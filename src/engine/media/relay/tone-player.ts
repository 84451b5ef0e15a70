/** A tone played to one side, packet by packet, in the law that side hears. */
import type { Law } from '../codecs/g711.ts'
import { createPace, packetMs } from '../rtp/pacer.ts'
import { rtpHeaderLength } from '../rtp/rtp.ts'
import { drawTone, type Tone } from '../sound/tone.ts'
import type { Outgoing } from './outgoing-stream.ts'

const samplesPerPacket = 160

export type ToneWish = {
  tone: Tone
  /** Ringback gives way to the first sound of the other side. */
  untilMedia?: boolean
  /** How long, in ms; without it until stopped. */
  lasting?: number
}

export function createTonePlayer(
  { tone, untilMedia = false, lasting }: ToneWish,
  outgoing: Outgoing,
  now: number,
) {
  // Drawn here already: a tone that cannot be is refused to whom asked for it.
  drawTone(tone, 'PCMA')
  const pace = createPace(now)
  const packets = lasting === undefined ? Infinity : Math.ceil(lasting / packetMs)
  let first = true
  let ended = false
  outgoing.beginTone(now)

  /** Sends what is due. False once the tone has been played. */
  function tick(
    at: number,
    spoken: { number: number; law: Law } | undefined,
    send: (packet: Buffer) => void,
  ) {
    pace.keep(at, (index) => {
      if (index >= packets) ended = true
      if (ended || !spoken) return
      const octets = drawTone(tone, spoken.law)
      const packet = Buffer.allocUnsafe(rtpHeaderLength + samplesPerPacket)
      outgoing.stampTone(packet, spoken.number, { index, first, now: at })
      const from = (index * samplesPerPacket) % octets.length
      packet.set(octets.subarray(from, from + samplesPerPacket), rtpHeaderLength)
      first = false
      send(packet)
    })
    return !ended
  }

  return { tick, untilMedia }
}
export type TonePlayer = ReturnType<typeof createTonePlayer>
