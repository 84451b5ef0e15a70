/** What a mouth has to say, packet by packet, in the law the other side hears. */
import { encode, type Law } from '../../media/codecs/g711.ts'
import { renderTone, type Tone } from '../../media/sound/tone.ts'

export const samplesPerPacket = 160

export type Play = {
  /** The next 20 ms; undefined when there is nothing to send. */
  next(law: Law): Uint8Array | undefined
  /** What came from the other side, in the same law. */
  hear?(octets: Uint8Array): void
}

/** No packets at all. */
export const playNothing = (): Play => ({ next: () => undefined })

const silentSamples = new Int16Array(samplesPerPacket)
/** Packets with nothing in them, as a muted phone sends. */
export const playSilence = (): Play => ({ next: (law) => encode(law, silentSamples) })

export function playTone(hertz: number, cadence: number[] = []): Play {
  const tone: Tone = { hertz: [hertz], cadence }
  let at = 0
  return {
    next(law) {
      const octets = renderTone(tone, law)
      at %= octets.length
      const packet = octets.subarray(at, at + samplesPerPacket)
      at += samplesPerPacket
      return packet
    },
  }
}

/** Over and over. */
export function playSamples(samples: Int16Array): Play {
  let at = 0
  return {
    next(law) {
      const packet = new Int16Array(samplesPerPacket)
      packet.set(samples.subarray(at, at + samplesPerPacket))
      at = at + samplesPerPacket < samples.length ? at + samplesPerPacket : 0
      return encode(law, packet)
    },
  }
}

/** Beyond this an echo would come later and later. */
const mostWaiting = 5

export function playEcho(): Play {
  const waiting: Uint8Array[] = []
  return {
    next: () => waiting.shift(),
    hear(octets) {
      if (waiting.push(Uint8Array.from(octets)) > mostWaiting) waiting.shift()
    },
  }
}
