/** The codecs of the service. Those not listed here are neither offered nor accepted. */
import type { Codec } from './codec.ts'
import { g722 } from './g722.ts'
import { opus } from './opus.ts'
import { pcma } from './pcma.ts'
import { pcmu } from './pcmu.ts'

/** Those with an RTP clock of 8 kHz first, which nearly everybody has. */
export const codecs = [pcma, pcmu, g722, opus] as const satisfies readonly Codec[]

export type CodecName = (typeof codecs)[number]['name']

export const codecNames: readonly CodecName[] = codecs.map(({ name }) => name)

/** The laws of G.711, which every phone and carrier has and which are converted into each other by tables. */
export const g711Names: readonly CodecName[] = [pcma.name, pcmu.name]

/** The codecs that can be converted into each other, as opposed to passed through only. */
export const audioCodecNames: readonly CodecName[] = codecs.filter(isAudioCodec).map(({ name }) => name)

function isAudioCodec(codec: Codec): boolean {
  return codec.audio !== undefined
}

export function codecNamed(name: CodecName): Codec<CodecName> {
  const codec = codecs.find((one) => one.name === name)
  if (!codec) throw new Error(`${name} is not a codec of this service`)
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
