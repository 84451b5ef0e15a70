/** A call that came to us: an extension's phone dials, or a carrier brings it. The far side is dialled at once. */
import type { Cause } from '../../../contract/causes.ts'
import type { Accepted, Arrival, Barred } from '../../port.ts'
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import type { Sdp } from '../../sip/sdp/sdp.ts'
import { type Call, type CallDeps, createCall, type Near } from './call.ts'
import { reasonHeaders, statusOf } from './sip-causes.ts'

type ArrivalDeps = CallDeps & {
  accept(arrival: Arrival): Promise<Accepted | Barred>
  /** Called as soon as the call has a name. */
  onStarted(call: Call): void
  onOver(callId: string): void
}

export async function takeArrival(deps: ArrivalDeps, leg: IncomingLeg, arrival: Arrival) {
  const near = 'extension' in arrival.from ? 'extension' : 'destination'
  let call: Call | undefined
  let cancelled = false
  leg.listen({
    cancelled() {
      cancelled = true
      call?.finish('ORIGINATOR_CANCEL', near)
    },
    ended: (end) => listener().ended(end),
    offered: async (offer) => await listener().offered(offer),
    ask: async () => await listener().ask(),
    settled: (answer) => listener().settled(answer),
    info: async (request) => await listener().info(request),
  })
  const listener = () => {
    if (!call) throw new Error('not answered yet')
    return call.listener(call.sides.near, leg.flow.remote.address, near)
  }

  const accepted = await deps.accept(arrival).catch((error: unknown): Barred => {
    deps.log.error({ err: error }, 'a call that came could not be stored')
    return { barred: 'NORMAL_TEMPORARY_FAILURE' }
  })
  if ('barred' in accepted) return leg.refuse(statusOf(accepted.barred), reasonHeaders(accepted.barred))

  call = createCall(deps, { ...accepted, near }, () => deps.onOver(accepted.callId))
  deps.onStarted(call)
  if (cancelled) return call.finish('ORIGINATOR_CANCEL', near)
  await connect(call, leg)
}

async function connect(call: Call, leg: IncomingLeg) {
  const { sides } = call
  let answered = false
  const end = (cause: Cause) =>
    answered ? leg.hangUp(reasonHeaders(cause)) : leg.refuse(statusOf(cause), reasonHeaders(cause))
  const waiting: Near = { leg, ringing() {}, earlySound() {}, joined: () => false, end }
  call.setNear(waiting)

  const sound = await call.openTheSound()
  if (!sound) return
  const ours = leg.offered && sound.answer(sides.near, leg.offered, leg.flow.remote.address)
  if (leg.offered && !ours) return call.finish('INCOMPATIBLE_DESTINATION', sides.nearName)
  if (sides.nearName === 'extension') call.tell('extensionAnswered')
  call.dial({
    ...waiting,
    ...tellProgress(leg, ours),
    joined() {
      answered = true
      leg.accept(ours ?? sound.offer(sides.near))
      return true
    },
  })
}

/** A phone told of ringing makes the sound itself; one that hears early media must not be told to ring after it. */
function tellProgress(leg: IncomingLeg, ours: Sdp | undefined) {
  let told: 180 | 183 | undefined
  return {
    ringing() {
      if (told === undefined) leg.progress(180)
      told ??= 180
    },
    earlySound() {
      if (told === 183) return
      if (ours) leg.progress(183, ours)
      told = ours ? 183 : told
    },
  }
}
