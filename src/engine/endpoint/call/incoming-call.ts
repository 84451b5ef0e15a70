/** A call that an endpoint receives. */
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import type { Sdp } from '../../../sip/sdp/sdp.ts'
import { type AudioSource, noAudio } from '../audio/audio-source.ts'
import {
  type AudioOptions,
  createCallLifetime,
  type EndpointCall,
  type EndpointDeps,
} from './endpoint-call.ts'
import { createOfferAnswer, type OfferAnswer } from './offer-answer.ts'

export type IncomingCall = EndpointCall & {
  ring(): void
  /** Plays audio before the answer (early media, 183). */
  early(source: AudioSource): Promise<void>
  /** By default plays the source of the options. False if the call could not be answered. */
  answer(source?: AudioSource): Promise<boolean>
  refuse(status: number, headers?: HeaderPairs): void
  hold(on: boolean): Promise<void>
}

/** To be called as soon as the leg exists, before any of its events. */
export function receiveCall(
  leg: IncomingLeg,
  deps: Omit<EndpointDeps, 'userAgent'>,
  options: Partial<AudioOptions> = {},
): IncomingCall {
  const lifetime = createCallLifetime(deps, options)
  let offerAnswer: OfferAnswer | undefined
  let ourSdp: Sdp | undefined
  let answered = false

  leg.listen({
    onEnded: ({ why, q850 }) =>
      lifetime.finish({ why: why === 'bye' ? 'they hung up' : 'unreachable', q850 }),
    onCancelled: (q850) => lifetime.finish({ why: 'they gave up', q850 }),
    onOffer: async (offer) => offerAnswer?.answer(offer) ?? { refuse: 488 },
    onOfferRequest: async () => (await prepare()).offer(),
    onAnswer(answer) {
      if (offerAnswer?.acceptAnswer(answer)) return
      leg.hangUp()
      lifetime.finish({ why: 'no common codec' })
    },
    onInfo: (request) => offerAnswer?.legListener(() => {}).onInfo(request) ?? 481,
  })

  async function prepare(): Promise<OfferAnswer> {
    offerAnswer ??= createOfferAnswer(await lifetime.audio(), deps.host)
    return offerAnswer
  }

  /** Our SDP; undefined if the call is over, or was refused because there is no common codec. */
  async function describe(): Promise<Sdp | undefined> {
    const negotiation = await prepare()
    if (lifetime.isOver()) return undefined
    ourSdp ??= leg.remoteOffer ? negotiation.answer(leg.remoteOffer) : negotiation.offer()
    if (!ourSdp) refuse(488)
    return ourSdp
  }

  function refuse(status: number, headers?: HeaderPairs) {
    if (lifetime.isOver() || answered) return
    leg.refuse(status, headers)
    lifetime.finish({ why: status === 488 ? 'no common codec' : 'we refused', status })
  }

  return {
    ended: lifetime.ended,
    press: lifetime.press,
    heard: lifetime.heard,
    refuse,
    ring() {
      if (!lifetime.isOver()) leg.progress(180)
    },
    async early(source) {
      const description = leg.remoteOffer && (await describe())
      if (!description || answered) return
      const audio = await lifetime.audio()
      audio.play(source)
      leg.progress(183, description)
    },
    async answer(source = options.play ?? noAudio()) {
      const description = await describe()
      if (!description || answered) return false
      answered = true
      const audio = await lifetime.audio()
      if (lifetime.isOver()) return false
      audio.play(source)
      leg.accept(description)
      return true
    },
    async hold(on) {
      if (!offerAnswer || lifetime.isOver()) return
      const answer = await leg.offer(offerAnswer.offer(on ? 'sendonly' : 'sendrecv'))
      if (answer) offerAnswer.acceptAnswer(answer)
    },
    hangUp() {
      if (!answered) return refuse(480)
      leg.hangUp()
      lifetime.finish({ why: 'we hung up' })
    },
  }
}
