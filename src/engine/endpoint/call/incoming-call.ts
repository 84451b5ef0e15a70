/** A call that came to us. */
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import type { Sdp } from '../../sip/sdp/sdp.ts'
import { type Play, playNothing } from '../audio/audio-source.ts'
import { createEnding, type EndpointCall, type EndpointDeps, type SoundWish } from './endpoint-call.ts'
import { type Conversation, createConversation } from './offer-answer.ts'

export type IncomingCall = EndpointCall & {
  ring(): void
  /** Sound before the answer. */
  early(play: Play): Promise<void>
  /** Says what was wished from the start, unless told otherwise. False if it came to nothing. */
  answer(play?: Play): Promise<boolean>
  refuse(status: number, headers?: HeaderPairs): void
  hold(on: boolean): Promise<void>
}

/** To be called as soon as the leg is there. */
export function receiveCall(
  leg: IncomingLeg,
  deps: Omit<EndpointDeps, 'userAgent'>,
  wish: Partial<SoundWish> = {},
): IncomingCall {
  const ending = createEnding(deps, wish)
  let conversation: Conversation | undefined
  let ours: Sdp | undefined
  let answered = false

  leg.listen({
    onEnded: ({ why, q850 }) => ending.finish({ why: why === 'bye' ? 'they hung up' : 'unreachable', q850 }),
    onCancelled: (q850) => ending.finish({ why: 'they gave up', q850 }),
    onOffer: async (offer) => conversation?.answer(offer) ?? { refuse: 488 },
    onOfferRequest: async () => (await prepare()).offer(),
    onAnswer(answer) {
      if (conversation?.settle(answer)) return
      leg.hangUp()
      ending.finish({ why: 'no common codec' })
    },
    onInfo: (request) => conversation?.listen(() => {}).onInfo(request) ?? 481,
  })

  async function prepare(): Promise<Conversation> {
    conversation ??= createConversation(await ending.voice(), deps.host)
    return conversation
  }

  /** What we answer the offer with; undefined when the call is over, or has been refused for it. */
  async function describe(): Promise<Sdp | undefined> {
    const talk = await prepare()
    if (ending.isOver()) return undefined
    ours ??= leg.remoteOffer ? talk.answer(leg.remoteOffer) : talk.offer()
    if (!ours) refuse(488)
    return ours
  }

  function refuse(status: number, headers?: HeaderPairs) {
    if (ending.isOver() || answered) return
    leg.refuse(status, headers)
    ending.finish({ why: status === 488 ? 'no common codec' : 'we refused', status })
  }

  return {
    ended: ending.ended,
    press: ending.press,
    heard: ending.heard,
    refuse,
    ring() {
      if (!ending.isOver()) leg.progress(180)
    },
    async early(play) {
      const description = leg.remoteOffer && (await describe())
      if (!description || answered) return
      const voice = await ending.voice()
      voice.play(play)
      leg.progress(183, description)
    },
    async answer(play = wish.play ?? playNothing()) {
      const description = await describe()
      if (!description || answered) return false
      answered = true
      const voice = await ending.voice()
      if (ending.isOver()) return false
      voice.play(play)
      leg.accept(description)
      return true
    },
    async hold(on) {
      if (!conversation || ending.isOver()) return
      const settled = await leg.offer(conversation.offer(on ? 'sendonly' : 'sendrecv'))
      if (settled) conversation.settle(settled)
    },
    hangUp() {
      if (!answered) return refuse(480)
      leg.hangUp()
      ending.finish({ why: 'we hung up' })
    },
  }
}
