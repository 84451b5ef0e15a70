/** Click to call: the extension's phone is rung; once its user picks up, the destination is dialled. */
import type { Placing } from '../../port.ts'
import type { Calling } from '../../sip/dialog/leg.ts'
import { type Call, type CallDeps, createCall } from './call.ts'
import { causeOfFailure, reasonHeaders } from './sip-causes.ts'

type PlaceDeps = CallDeps & {
  /** How to ring the extension's phone; undefined when it has none. */
  ring(placing: Placing): Omit<Calling, 'offer'> | undefined
}

export function placeCall(deps: PlaceDeps, placing: Placing, onOver: () => void): Call {
  const call = createCall(deps, { ...placing, near: 'extension' }, onOver)
  void ringExtension(deps, placing, call)
  return call
}

async function ringExtension(deps: PlaceDeps, placing: Placing, call: Call) {
  const calling = deps.ring(placing)
  if (!calling) return call.finish('USER_NOT_REGISTERED', 'service')
  const sound = await call.openTheSound()
  if (!sound) return
  const from = calling.target.remote.address
  let rang = false
  const leg = deps.userAgent.call(
    { ...calling, offer: sound.offer('extension') },
    {
      ...call.listener('extension', from, 'extension'),
      progress() {
        if (!rang) call.tell('ringing')
        rang = true
      },
      answered(description) {
        if (call.isOver()) return
        const heard = description !== undefined && sound.settle('extension', description, from)
        if (!heard) return call.finish('INCOMPATIBLE_DESTINATION', 'extension')
        call.tell('extensionAnswered')
        call.dial(near)
      },
      failed(failure) {
        call.finish(causeOfFailure(failure, 'phone'), 'extension')
      },
    },
  )
  const near = {
    leg,
    // Its user has picked up already: what a network would play now is ours to play.
    ringing: () => sound.playRingback('extension'),
    earlySound() {},
    joined: () => true,
    end: (cause: Parameters<typeof reasonHeaders>[0]) => leg.cancel(reasonHeaders(cause)),
  }
  call.setNear(near)
  call.waitFor(placing.limits.ring, () => call.finish('NO_ANSWER', 'service'))
}
