/** The audio an endpoint sends, packet by packet, in the codec of the other side. */
import { type Codec, createPacketEncoder } from '../../../media/codecs/codec.ts'
import { packetMs } from '../../../media/rtp/pacer.ts'
import { renderTone, type Tone } from '../../../media/sound/tone.ts'

export type AudioSource = {
  /** The payload of the next 20 ms; undefined if there is nothing to send. */
  next(codec: Codec): Uint8Array | undefined
  /** The payload of a received packet, in the same codec. */
  receive?(octets: Uint8Array): void
}

/** Sends no packets at all. */
export const noAudio = (): AudioSource => ({ next: () => undefined })

const sampleRate = 8000
const samplesPerPacket = (sampleRate / 1000) * packetMs

/** Sends packets of silence, as a muted phone does. */
export const silenceSource = () => samplesSource(new Int16Array(samplesPerPacket))

export function toneSource(hertz: number, cadence: number[] = []): AudioSource {
  const tone: Tone = { hertz: [hertz], cadence }
  let index = 0
  return {
    next(codec) {
      const payloads = renderTone(tone, codec)
      return payloads[index++ % payloads.length]
    },
  }
}

/** Repeats the samples, which are of 8 kHz, endlessly. */
export function samplesSource(samples: Int16Array): AudioSource {
  let encoder: { codec: Codec; encode: (samples: Int16Array) => Uint8Array } | undefined
  let at = 0
  return {
    next(codec) {
      if (!codec.audio) return undefined
      if (encoder?.codec !== codec) encoder = { codec, encode: createPacketEncoder(codec.audio, sampleRate) }
      const packet = new Int16Array(samplesPerPacket)
      packet.set(samples.subarray(at, at + samplesPerPacket))
      at = at + samplesPerPacket < samples.length ? at + samplesPerPacket : 0
      return encoder.encode(packet)
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
