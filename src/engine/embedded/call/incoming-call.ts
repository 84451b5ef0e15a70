/** A call whose INVITE came to us: an extension's phone dials, or a carrier calls. The B leg is dialled at once. */
import type { Cause } from '../../../contract/calls/causes.ts'
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import { isAnonymous } from '../../../sip/headers/privacy.ts'
import type { Sdp } from '../../../sip/sdp/sdp.ts'
import type { AcceptedCall, IncomingCall, RejectedCall } from '../../port.ts'
import { type Call, createCall } from './call.ts'
import type { ALeg, CallDeps } from './call-deps.ts'
import type { CallerTrunk } from './sender-check.ts'
import { reasonHeaders, statusOf } from './sip-causes.ts'

type IncomingCallDeps = CallDeps & {
  admit(incoming: IncomingCall): Promise<AcceptedCall | RejectedCall>
  /** If the caller is a carrier. */
  trunk?: CallerTrunk | undefined
  /** D241: another node dialled. */
  caller?: 'node'
  /** The call was accepted and has an id. */
  onStarted(call: Call): void
  onOver(callId: string): void
}

export async function takeIncomingCall(deps: IncomingCallDeps, leg: IncomingLeg, incoming: IncomingCall) {
  const caller = 'extension' in incoming.from ? incoming.from.extension : undefined
  const aSide = caller ? 'extension' : 'other'
  let call: Call | undefined
  let cancelled = false
  leg.listen({
    onCancelled() {
      cancelled = true
      call?.finish('ORIGINATOR_CANCEL', aSide)
    },
    onEnded: (end) => listener().onEnded(end),
    onOffer: async (offer, from) => await listener().onOffer(offer, from),
    onOfferRequest: async () => await listener().onOfferRequest(),
    onAnswer: (answer, from) => listener().onAnswer(answer, from),
    onForeign: (request, accept) => deps.authorise(caller, request, accept),
    onInfo: async (request) => await listener().onInfo(request),
    onRefer: async (refer) => (await listener().onRefer?.(refer)) ?? 603,
  })
  const listener = () => {
    if (!call) throw new Error('not answered yet')
    return call.listener(aSide)
  }

  const accepted = await deps.admit(incoming).catch((error: unknown): RejectedCall => {
    deps.log.error({ err: error }, 'an incoming call could not be stored')
    return { rejected: 'NORMAL_TEMPORARY_FAILURE' }
  })
  if ('rejected' in accepted) {
    const { rejected, phrase } = accepted
    return leg.refuse(statusOf(rejected), reasonHeaders(rejected), phrase)
  }

  const isPrivate = isAnonymous(leg.request)
  call = createCall(deps, { ...accepted, aSide, caller, isPrivate }, () => deps.onOver(accepted.callId))
  const party = caller ? 'extension' : (deps.caller ?? 'carrier')
  deps.traces?.addDialog(accepted.callId, leg.callId, { side: aSide, party })
  deps.onStarted(call)
  if (cancelled) return call.finish('ORIGINATOR_CANCEL', aSide)
  await connect(call, leg, deps.trunk)
}

async function connect(call: Call, leg: IncomingLeg, trunk: CallerTrunk | undefined) {
  const { aSide } = call
  let answered = false
  const end = (cause: Cause) =>
    answered ? leg.hangUp(reasonHeaders(cause)) : leg.refuse(statusOf(cause), reasonHeaders(cause))
  const unanswered: ALeg = { leg, onRinging() {}, onEarlyMedia() {}, connect: () => false, end }
  call.setALeg(unanswered)

  const sound = await call.openSound()
  if (!sound) return
  if (trunk) sound.limit(aSide, trunk)
  const { remoteOffer } = leg
  if (remoteOffer && !sound.considers(aSide, remoteOffer, leg.flow)) {
    return call.finish('INCOMPATIBLE_DESTINATION', aSide)
  }
  let ours: Sdp | undefined
  // D274: answered only when the codec of the other side is known.
  const answer = () => {
    ours ??= remoteOffer && sound.answer(aSide, remoteOffer, leg.flow)
    return ours
  }
  if (aSide === 'extension') call.emit('extensionAnswered')
  call.dial({
    ...unanswered,
    ...forwardProgress(leg, answer),
    connect() {
      answered = true
      leg.accept(answer() ?? sound.offer(aSide), aSide === 'extension' ? [['X-Call-Id', call.callId]] : [])
      return true
    },
  })
}

/** After 180 the phone plays ringback itself. Once it plays early media (183), 180 must not follow. */
function forwardProgress(leg: IncomingLeg, answer: () => Sdp | undefined) {
  let sent: 180 | 183 | undefined
  return {
    onRinging() {
      if (sent === undefined) leg.progress(180)
      sent ??= 180
    },
    onEarlyMedia() {
      if (sent === 183) return
      const ours = answer()
      if (ours) leg.progress(183, ours)
      sent = ours ? 183 : sent
    },
  }
}
