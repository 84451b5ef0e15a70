/** Plays a tone or a sound to one side, packet by packet, in the codec of that side. */
import { type Codec, createPacketEncoder } from '../codecs/codec.ts'
import { createPacer, packetMs } from '../rtp/pacer.ts'
import { rtpHeaderLength } from '../rtp/rtp.ts'
import { checkTone, renderTone, type Tone } from '../sound/tone.ts'
import { wavSampleRate } from '../sound/wav.ts'
import type { OutgoingStream } from './outgoing-stream.ts'
import type { NegotiatedCodec } from './payload-routes.ts'

type ToneRequest = {
  tone: Tone
  /** Ringback ends with the first media of the other side. */
  untilMedia?: boolean
  /** By default until stopped. */
  durationMs?: number
}

/** A sound that the media threads know by its name. */
type SoundRequest = {
  sound: string
  /** Again and again until stopped; by default it is played once. */
  isRepeated?: boolean
}

export type PlayRequest = ToneRequest | SoundRequest

/** Sounds by name: samples of 8 kHz. */
export type Sounds = Readonly<Record<string, Int16Array>>

/** The payload of a packet; undefined if the codec has no encoder. */
type PayloadAt = (index: number, codec: Codec) => Uint8Array | undefined
type Source = { packets: number; payloadAt: PayloadAt }

export function createPlayer(request: PlayRequest, sounds: Sounds, outgoing: OutgoingStream, now: number) {
  const { packets, payloadAt } = 'tone' in request ? toneSource(request) : soundSource(request, sounds)
  const pacer = createPacer(now)
  let isFirst = true
  let ended = false
  outgoing.beginTone(now)

  /** Sends the packets that are due. False once the sound has ended. */
  function tick(at: number, sendAs: NegotiatedCodec | undefined, send: (packet: Buffer) => void) {
    pacer.sendDue(at, (index) => {
      if (index >= packets) ended = true
      const payload = ended || !sendAs ? undefined : payloadAt(index, sendAs.codec)
      if (!payload || !sendAs) return
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

  return { tick, resume, untilMedia: 'tone' in request && (request.untilMedia ?? false) }
}
export type Player = ReturnType<typeof createPlayer>

function toneSource({ tone, durationMs }: ToneRequest): Source {
  checkTone(tone)
  return {
    packets: durationMs === undefined ? Infinity : Math.ceil(durationMs / packetMs),
    payloadAt(index, codec) {
      const payloads = renderTone(tone, codec)
      return payloads[index % payloads.length]
    },
  }
}

/** Encoded as it is played: whole songs would be too much to encode at once. */
function soundSource({ sound, isRepeated = false }: SoundRequest, sounds: Sounds): Source {
  const samples = Object.hasOwn(sounds, sound) ? sounds[sound] : undefined
  if (!samples) throw new RangeError(`there is no sound ${sound}`)
  const length = (wavSampleRate / 1000) * packetMs
  const cycle = Math.ceil(samples.length / length)
  const frame = new Int16Array(length)
  let encoder: { codec: Codec; encode: (samples: Int16Array) => Uint8Array } | undefined
  return {
    packets: isRepeated ? Infinity : cycle,
    payloadAt(index, codec) {
      if (!codec.audio) return undefined
      if (encoder?.codec !== codec) {
        encoder = { codec, encode: createPacketEncoder(codec.audio, wavSampleRate) }
      }
      const from = (index % cycle) * length
      frame.fill(0)
      frame.set(samples.subarray(from, from + length))
      return encoder.encode(frame)
    },
  }
}
