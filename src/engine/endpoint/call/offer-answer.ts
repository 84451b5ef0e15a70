/** SDP offer/answer (RFC 3264) of a call: offers, answers, hold. Agreed terms are applied to the audio. */
import { randomInt } from 'node:crypto'
import { g711Names } from '../../../media/codecs/registry.ts'
import type { LegEnd, LegListener } from '../../../sip/dialog/leg.ts'
import { contentType } from '../../../sip/headers/numbers.ts'
import { answer as answerOffer } from '../../../sip/sdp/answer.ts'
import { offer as makeOffer } from '../../../sip/sdp/offer.ts'
import type { Direction, Sdp } from '../../../sip/sdp/sdp.ts'
import { readTerms } from '../../../sip/sdp/terms.ts'
import { succeed } from '../../../sip/sdp/write.ts'
import type { CallAudio } from '../audio/call-audio.ts'

export function createOfferAnswer(audio: Pick<CallAudio, 'port' | 'apply'>, address: string) {
  const origin = { username: '-', sessionId: String(randomInt(2 ** 47)), version: '1', address }
  let lastSdp: Sdp | undefined

  function withVersion(sdp: Sdp): Sdp {
    lastSdp = lastSdp ? succeed(lastSdp, sdp) : sdp
    return lastSdp
  }

  const ours = () => ({ origin: lastSdp?.origin ?? origin, address, port: audio.port })

  function offer(direction: Direction = 'sendrecv'): Sdp {
    return withVersion(makeOffer({ ...ours(), codecs: g711Names, direction }))
  }

  /** Undefined if there is no common codec. */
  function answer(offered: Sdp): Sdp | undefined {
    const answered = answerOffer(offered, { ...ours(), codecs: g711Names })
    if (!answered) return undefined
    audio.apply(answered.terms)
    return withVersion(answered.sdp)
  }

  /** Applies the answer to our offer; false if there is no common codec. */
  function acceptAnswer(answered: Sdp): boolean {
    const terms = readTerms(answered, g711Names)
    if (terms) audio.apply(terms)
    return terms !== undefined
  }

  /** For an answered leg. */
  function legListener(onEnded: (end: LegEnd) => void): LegListener {
    return {
      onEnded,
      onOffer: async (offered) => answer(offered) ?? { refuse: 488 },
      onOfferRequest: async () => offer(),
      onAnswer: (answered) => void acceptAnswer(answered),
      // Some phones send digits as INFO: accepted but ignored, only telephone events count.
      onInfo: (request) => (contentType(request)?.startsWith('application/dtmf') ? 200 : 415),
    }
  }

  return { offer, answer, acceptAnswer, legListener }
}
export type OfferAnswer = ReturnType<typeof createOfferAnswer>
