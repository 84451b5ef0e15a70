/** A call that an endpoint places. */
import type { LegFailure, OutgoingLeg } from '../../../sip/dialog/leg.ts'
import type { InviteOptions } from '../../../sip/user-agent/outgoing-invite.ts'
import {
  type AudioOptions,
  type CallEnd,
  createCallLifetime,
  type EndpointCall,
  type EndpointDeps,
} from './endpoint-call.ts'
import { createOfferAnswer } from './offer-answer.ts'

type OutgoingCallOptions = AudioOptions & {
  onProgress?(status: number): void
  onAnswered?(): void
}

export async function placeCall(
  deps: EndpointDeps,
  calling: Omit<InviteOptions, 'offer'>,
  options: OutgoingCallOptions,
): Promise<EndpointCall> {
  const lifetime = createCallLifetime(deps, options)
  const audio = await lifetime.audio()
  const offerAnswer = createOfferAnswer(audio, deps.host)
  let early = false

  const listener = {
    ...offerAnswer.legListener(({ why, q850 }) =>
      lifetime.finish({ why: why === 'bye' ? 'they hung up' : 'unreachable', q850 }),
    ),
    onProgress(status: number, description: Parameters<typeof offerAnswer.acceptAnswer>[0] | undefined) {
      if (description && offerAnswer.acceptAnswer(description)) early = true
      options.onProgress?.(status)
    },
    onAnswered(description: Parameters<typeof offerAnswer.acceptAnswer>[0] | undefined) {
      if (!(description ? offerAnswer.acceptAnswer(description) : early)) {
        leg.hangUp()
        return lifetime.finish({ why: 'no common codec' })
      }
      audio.play(options.play)
      options.onAnswered?.()
    },
    onFailed: (failure: LegFailure) => lifetime.finish(endOf(failure)),
  }
  const leg: OutgoingLeg = deps.userAgent.invite({ ...calling, offer: offerAnswer.offer() }, listener)

  return {
    ended: lifetime.ended,
    hangUp() {
      leg.cancel()
      lifetime.finish({ why: 'we hung up' })
    },
    press: lifetime.press,
    heard: lifetime.heard,
  }
}

function endOf({ why, status, q850 }: LegFailure): Omit<CallEnd, 'heard'> {
  if (why === 'refused') return { why: 'they refused', status, q850 }
  if (why === 'cancelled') return { why: 'we hung up', status }
  return { why: why === 'timeout' ? 'no answer' : 'unreachable', status, q850 }
}
