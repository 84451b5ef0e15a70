/** The payload types of both sides, and how a packet of one side becomes a packet of the other. */
import { type Codec, createDecoderAt, type Decode } from '../codecs/codec.ts'
import { type CodecName, codecNamed } from '../codecs/registry.ts'
import { createTranscoding, type Transcode } from '../codecs/transcoding.ts'
import { defaultClockRate } from '../rtp/rtp.ts'
import { wavSampleRate } from '../sound/wav.ts'

/** In order of preference, as in the SDP. `CN` is comfort noise. */
export type Payload = { number: number; codec: CodecName | 'CN' | 'telephone-event' }

export type Route = {
  isTelephoneEvent: boolean
  /** The payload type at the other side; undefined if the packet cannot be delivered. */
  number: number | undefined
  /** Converts each octet, as between the laws of G.711. */
  table: Uint8Array | undefined
  /** Converts the payload if no table can. Without table and transcode the payload is passed through. */
  transcode: Transcode | undefined
  /** The RTP clock of the sender. */
  clockRate: number
  /** The RTP clock of the other side divided by the sender's. */
  clockRatio: number
  /**
   * To samples of the rate of recordings. Undefined for a payload without audio, or with audio that cannot be decoded.
   * Decoders have state: a packet is decoded at most once.
   */
  decode: Decode | undefined
  /** Octet of silence, for codecs of one octet per sample. */
  silence: number | undefined
}

/** The payload types come from an SDP, which is untrusted; more than seven bits would break the packets. */
export function checkPayloads(payloads: Payload[]) {
  for (const { number } of payloads)
    if (!Number.isInteger(number) || number < 0 || number > 127)
      throw new RangeError(`${number} is no RTP payload type`)
}

/** A codec with the payload type that a side uses for it. */
export type NegotiatedCodec = { number: number; codec: Codec }

/** The codec in which audio is sent to a side. */
export function negotiatedCodec(payloads: Payload[]): NegotiatedCodec | undefined {
  for (const { number, codec } of payloads) if (isAudio(codec)) return { number, codec: codecNamed(codec) }
  return undefined
}

/** The payload type that a side has for telephone events. */
export function telephoneEventOf(payloads: Payload[]): number | undefined {
  return payloads.find(({ codec }) => codec === 'telephone-event')?.number
}

/** By payload type of the sender; those that were not negotiated have no route. */
export function routesBetween(sender: Payload[], receiver: Payload[]): (Route | undefined)[] {
  const routes = new Array<Route | undefined>(128).fill(undefined)
  for (const payload of sender)
    routes[payload.number] = isAudio(payload.codec)
      ? audioRoute(payload.codec, receiver)
      : otherRoute(payload.codec, sender, receiver)
  return routes
}

function audioRoute(name: CodecName, receiver: Payload[]): Route {
  const codec = codecNamed(name)
  const same = receiver.find((payload) => payload.codec === name)
  const other = same ? undefined : negotiatedCodec(receiver)
  const transcoding = other && createTranscoding(codec, other.codec, wavSampleRate)
  return {
    isTelephoneEvent: false,
    number: same?.number ?? (transcoding && other?.number),
    table: transcoding && 'table' in transcoding ? transcoding.table : undefined,
    transcode: transcoding && 'transcode' in transcoding ? transcoding.transcode : undefined,
    clockRate: codec.clockRate,
    clockRatio: (other?.codec.clockRate ?? codec.clockRate) / codec.clockRate,
    decode: codec.audio && createDecoderAt(codec.audio, wavSampleRate),
    silence: codec.audio?.tables?.encode[0],
  }
}

function otherRoute(codec: 'CN' | 'telephone-event', sender: Payload[], receiver: Payload[]): Route {
  const from = negotiatedCodec(sender)?.codec.clockRate
  const to = negotiatedCodec(receiver)?.codec.clockRate
  return {
    isTelephoneEvent: codec === 'telephone-event',
    number: receiver.find((payload) => payload.codec === codec)?.number,
    table: undefined,
    transcode: undefined,
    clockRate: from ?? defaultClockRate,
    clockRatio: from && to ? to / from : 1,
    decode: undefined,
    silence: undefined,
  }
}

const isAudio = (codec: Payload['codec']): codec is CodecName => codec !== 'CN' && codec !== 'telephone-event'
