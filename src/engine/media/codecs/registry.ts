/** The codecs of the service. Those not listed here are neither offered nor accepted. */
import type { Codec } from './codec.ts'
import { pcma } from './pcma.ts'
import { pcmu } from './pcmu.ts'

/** In the order in which our SDP offers list them. */
export const codecs = [pcma, pcmu] as const satisfies readonly Codec[]

export type CodecName = (typeof codecs)[number]['name']

export const codecNames: readonly CodecName[] = codecs.map(({ name }) => name)

/** The codecs that an endpoint can play and analyse, as opposed to pass through. */
export const audioCodecNames: readonly CodecName[] = codecs.filter(isAudioCodec).map(({ name }) => name)

function isAudioCodec(codec: Codec): boolean {
  return codec.audio !== undefined
}

export function codecNamed(name: CodecName): Codec<CodecName> {
  const codec = codecs.find((one) => one.name === name)
  if (!codec) throw new Error(`${name} is no codec of ours`)
  return codec
}

/** The codec of an rtpmap, whose encoding name is case-insensitive. */
export function findCodec(encodingName: string, clockRate: number, channels: number) {
  const name = encodingName.toUpperCase()
  return codecs.find(
    (codec) =>
      codec.name.toUpperCase() === name && codec.clockRate === clockRate && codec.channels === channels,
  )
}
