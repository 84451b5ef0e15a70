/** A call we place. */
import type { InviteOptions, LegFailure, OutgoingLeg } from '../../sip/dialog/leg.ts'
import {
  type CallEnd,
  createEnding,
  type EndpointCall,
  type EndpointDeps,
  type SoundWish,
} from './endpoint-call.ts'
import { createConversation } from './offer-answer.ts'

type Wish = SoundWish & {
  onProgress?(status: number): void
  onAnswered?(): void
}

export async function placeCall(
  deps: EndpointDeps,
  calling: Omit<InviteOptions, 'offer'>,
  wish: Wish,
): Promise<EndpointCall> {
  const ending = createEnding(deps, wish)
  const voice = await ending.voice()
  const conversation = createConversation(voice, deps.host)
  let early = false

  const listener = {
    ...conversation.listen(({ why, q850 }) =>
      ending.finish({ why: why === 'bye' ? 'they hung up' : 'unreachable', q850 }),
    ),
    onProgress(status: number, description: Parameters<typeof conversation.settle>[0] | undefined) {
      if (description && conversation.settle(description)) early = true
      wish.onProgress?.(status)
    },
    onAnswered(description: Parameters<typeof conversation.settle>[0] | undefined) {
      if (!(description ? conversation.settle(description) : early)) {
        leg.hangUp()
        return ending.finish({ why: 'no common codec' })
      }
      voice.play(wish.play)
      wish.onAnswered?.()
    },
    onFailed: (failure: LegFailure) => ending.finish(endOf(failure)),
  }
  const leg: OutgoingLeg = deps.userAgent.invite({ ...calling, offer: conversation.offer() }, listener)

  return {
    ended: ending.ended,
    hangUp() {
      leg.cancel()
      ending.finish({ why: 'we hung up' })
    },
    press: ending.press,
    heard: ending.heard,
  }
}

function endOf({ why, status, q850 }: LegFailure): Omit<CallEnd, 'heard'> {
  if (why === 'refused') return { why: 'they refused', status, q850 }
  if (why === 'cancelled') return { why: 'we hung up', status }
  return { why: why === 'timeout' ? 'no answer' : 'unreachable', status, q850 }
}
