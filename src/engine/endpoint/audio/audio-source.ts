/** The audio an endpoint sends, packet by packet, in the codec of the other side. */
import { encode, type Law } from '../../media/codecs/g711.ts'
import { renderTone, type Tone } from '../../media/sound/tone.ts'

export const samplesPerPacket = 160

export type AudioSource = {
  /** The payload of the next 20 ms; undefined if there is nothing to send. */
  next(law: Law): Uint8Array | undefined
  /** The payload of a received packet, in the same codec. */
  receive?(octets: Uint8Array): void
}

/** Sends no packets at all. */
export const noAudio = (): AudioSource => ({ next: () => undefined })

const silentSamples = new Int16Array(samplesPerPacket)
/** Sends packets of silence, as a muted phone does. */
export const silenceSource = (): AudioSource => ({ next: (law) => encode(law, silentSamples) })

export function toneSource(hertz: number, cadence: number[] = []): AudioSource {
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

/** Repeats the samples endlessly. */
export function samplesSource(samples: Int16Array): AudioSource {
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

/** More queued packets would only increase the delay of the echo. */
const maxQueued = 5

export function echoSource(): AudioSource {
  const queue: Uint8Array[] = []
  return {
    next: () => queue.shift(),
    receive(octets) {
      if (queue.push(Uint8Array.from(octets)) > maxQueued) queue.shift()
    },
  }
}
