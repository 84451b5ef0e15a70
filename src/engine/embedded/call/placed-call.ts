/** Click to call: the extension's phone is rung; once its user answers, the destination is dialled. */
import type { CodecName } from '../../../media/codecs/registry.ts'
import type { InviteOptions } from '../../../sip/user-agent/outgoing-invite.ts'
import type { CallRequest } from '../../port.ts'
import { type Call, createCall } from './call.ts'
import type { ALeg, CallDeps } from './call-deps.ts'
import { isOfferRefused, type OfferedProtection, protectionsOf } from './media/side-protection.ts'
import type { Sound } from './media/sound.ts'
import { causeOfFailure, reasonHeaders } from './sip-causes.ts'

type PlacedCallDeps = CallDeps & {
  /** The INVITE to the extension's phone; undefined when it has none. */
  inviteExtension(request: CallRequest): Omit<InviteOptions, 'offer'> | undefined
}

export function placeCall(deps: PlacedCallDeps, request: CallRequest, onOver: () => void): Call {
  const call = createCall(deps, { ...request, aSide: 'extension', caller: request.extension }, onOver)
  void ringExtension(deps, request, call)
  return call
}

async function ringExtension(deps: PlacedCallDeps, request: CallRequest, call: Call) {
  const calling = deps.inviteExtension(request)
  if (!calling) return call.finish('USER_NOT_REGISTERED', 'service')
  const sound = await call.openSound()
  if (!sound) return
  const expected = 'number' in request.destination ? deps.codecs.carriers() : undefined
  ringBy({ deps, calling, sound, expected, call }, protectionsOf(calling.target))
  call.setTimer(request.limits.ring, () => call.finish('NO_ANSWER', 'service'))
}

type Ringing = {
  deps: PlacedCallDeps
  calling: Omit<InviteOptions, 'offer'>
  sound: Sound
  /** The codecs of the destination, as far as they are known. */
  expected: readonly CodecName[] | undefined
  call: Call
}

/** Rings the phone. The next protection is offered if it refuses the offer before it rings. */
function ringBy(ringing: Ringing, [protection = 'none', ...others]: OfferedProtection[]) {
  const { deps, calling, sound, expected, call } = ringing
  let rang = false
  const leg = deps.userAgent.invite(
    { ...calling, offer: sound.offer('extension', { protection, expected }) },
    {
      ...call.listener('extension'),
      onProgress() {
        if (!rang) call.emit('ringing')
        rang = true
      },
      onAnswered(description) {
        if (call.isOver()) return
        const compatible = description !== undefined && sound.settle('extension', description, calling.target)
        if (!compatible) return call.finish('INCOMPATIBLE_DESTINATION', 'extension')
        call.emit('extensionAnswered')
        call.whenConnected('extension', () => call.dial(aLeg))
      },
      onFailed(failure) {
        if (call.isOver()) return
        if (!rang && others.length > 0 && isOfferRefused(failure)) ringBy(ringing, others)
        else call.finish(causeOfFailure(failure, 'phone'), 'extension')
      },
    },
  )
  deps.traces?.addDialog(call.callId, leg.callId, { side: 'extension', party: 'extension' })
  const aLeg: ALeg = {
    leg,
    // This leg is answered already, so ringback must come from us; also if the carrier promises sound and sends none.
    onRinging: () => sound.playRingback('extension'),
    onEarlyMedia: () => sound.playRingback('extension'),
    connect: () => true,
    isAnswered: true,
    end: (cause) => leg.cancel(reasonHeaders(cause)),
  }
  call.setALeg(aLeg)
}
