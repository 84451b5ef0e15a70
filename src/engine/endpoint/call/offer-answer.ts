/** What is said of sound over a leg at our end: offers, answers, hold; the voice follows what is agreed. */
import { randomInt } from 'node:crypto'
import type { LegEnd, LegListener } from '../../sip/dialog/leg.ts'
import { contentType } from '../../sip/headers/numbers.ts'
import { answer as answerOffer } from '../../sip/sdp/answer.ts'
import { offer as makeOffer } from '../../sip/sdp/offer.ts'
import type { Direction, Sdp } from '../../sip/sdp/sdp.ts'
import { readTerms } from '../../sip/sdp/terms.ts'
import { succeed } from '../../sip/sdp/write.ts'
import type { Voice } from '../audio/call-audio.ts'

const codecs = ['PCMA', 'PCMU'] as const

export function createConversation(voice: Pick<Voice, 'port' | 'follow'>, address: string) {
  const origin = { username: '-', sessionId: String(randomInt(2 ** 47)), version: '1', address }
  let said: Sdp | undefined

  function say(description: Sdp): Sdp {
    said = said ? succeed(said, description) : description
    return said
  }

  const ours = () => ({ origin: said?.origin ?? origin, address, port: voice.port })

  function offer(direction: Direction = 'sendrecv'): Sdp {
    return say(makeOffer({ ...ours(), codecs, direction }))
  }

  /** Undefined if there is nothing we could talk over. */
  function answer(offered: Sdp): Sdp | undefined {
    const made = answerOffer(offered, ours())
    if (!made) return undefined
    voice.follow(made.terms)
    return say(made.sdp)
  }

  /** The answer to an offer of ours; false if it is none we could talk over. */
  function settle(answered: Sdp): boolean {
    const terms = readTerms(answered)
    if (terms) voice.follow(terms)
    return terms !== undefined
  }

  /** For a leg, once it is answered. */
  function listen(onEnded: (end: LegEnd) => void): LegListener {
    return {
      onEnded,
      onOffer: async (offered) => answer(offered) ?? { refuse: 488 },
      onOfferRequest: async () => offer(),
      onAnswer: (answered) => void settle(answered),
      // Keys come as INFO from some; we read those in the sound only, and are polite about it.
      onInfo: (request) => (contentType(request)?.startsWith('application/dtmf') ? 200 : 415),
    }
  }

  return { offer, answer, settle, listen }
}
export type Conversation = ReturnType<typeof createConversation>
