/**
 * D274: the codecs of the two sides of a call. Sound is passed through if both sides have its codec. The laws of G.711 are
 * converted by tables; everything else is decoded and encoded again, which costs more and loses quality: it is the last
 * choice.
 */
import { type CodecName, g711Names } from '../../../../media/codecs/registry.ts'
import type { SideName } from '../../../../media/relay/side.ts'

/** In order of preference. */
export type CallCodecs = {
  /** Codecs of phones, as the operator allows them. */
  phones: readonly CodecName[]
  /** Those that some trunk has now. */
  carriers: () => readonly CodecName[]
}

/** `phones`: what a side may use unless it is limited to something else. */
export function createCodecChoice(phones: readonly CodecName[]) {
  const limits = new Map<SideName, readonly CodecName[]>()
  const offered = new Map<SideName, readonly CodecName[]>()
  const chosen = new Map<SideName, CodecName>()

  const allowed = (side: SideName) => limits.get(side) ?? phones

  function known(side: SideName): readonly CodecName[] | undefined {
    const codec = chosen.get(side)
    return codec ? [codec] : offered.get(side)
  }

  return {
    allowed,
    /** Without codecs the side is a phone. */
    limit(side: SideName, codecs: readonly CodecName[] | undefined) {
      if (codecs) limits.set(side, codecs)
      else limits.delete(side)
    },
    /** Those of the side's offer, which is not answered yet. */
    noteOffered: (side: SideName, codecs: readonly CodecName[]) => void offered.set(side, codecs),
    choose: (side: SideName, codec: CodecName) => void chosen.set(side, codec),
    codecOf: (side: SideName) => chosen.get(side),
    forget(side: SideName) {
      offered.delete(side)
      chosen.delete(side)
    },

    /** What our offer to a side lists. `expected`: what its peer will have, as far as that is not known yet. */
    offeredTo(side: SideName, expected?: readonly CodecName[]): CodecName[] {
      const own = chosen.get(side)
      const peer = known(peerOf(side)) ?? expected
      const preferred = [...(own ? [own] : []), ...(peer ? [...peer, ...g711Names] : []), ...allowed(side)]
      return [...new Set(preferred)].filter((codec) => allowed(side).includes(codec))
    },

    /** Codecs for our answer to a side. The first list that has a codec of the offer is used. */
    answeredTo(side: SideName): CodecName[][] {
      const peer = chosen.get(peerOf(side))
      const lists = [peer ? [peer] : [], g711Names, allowed(side)]
      return lists.map((list) => list.filter((codec) => allowed(side).includes(codec)))
    },
  }
}

export const peerOf = (side: SideName): SideName => (side === 'extension' ? 'other' : 'extension')
