/** All calls that live: placed from upstairs, or come by themselves. */
import type { Cause } from '../../../contract/causes.ts'
import type { EngineHost, Placing } from '../../port.ts'
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import type { Found } from '../registrar/registrar.ts'
import type { Trunks } from '../trunks/trunks.ts'
import { takeArrival } from './arrived-call.ts'
import type { Call, CallDeps } from './call.ts'
import { placeCall } from './placed-call.ts'
import { createRoutes } from './routes.ts'
import type { createWhoCalls } from './who-calls.ts'

type Deps = Omit<CallDeps, 'findRoutes' | 'tell'> & {
  house: Pick<EngineHost, 'arrival' | 'onCall'>
  trunks: Pick<Trunks, 'choose'>
  whoCalls: ReturnType<typeof createWhoCalls>
  findPhone(extension: Placing['extension']): Found | undefined
  autoAnswer: boolean
}

export function createSwitchboard({ house, trunks, whoCalls, findPhone, autoAnswer, ...rest }: Deps) {
  const calls = new Map<string, Call>()
  const totals = { placed: 0, arrived: 0 }
  let stopping = false
  let onEmpty: () => void = () => {}

  const routes = createRoutes({ findPhone, autoAnswer, trunks })
  const deps = { ...rest, findRoutes: routes.find, tell: house.onCall, ring: routes.toCallingExtension }

  function forget(callId: string) {
    calls.delete(callId)
    if (calls.size === 0) onEmpty()
  }

  async function arrive(leg: IncomingLeg) {
    if (stopping) return leg.refuse(503)
    const caller = await whoCalls.find(leg)
    if (!caller) return
    const { release, ...arrival } = caller
    let started = false
    await takeArrival(
      {
        ...deps,
        accept: house.arrival,
        onStarted(call) {
          started = true
          totals.arrived += 1
          calls.set(call.callId, call)
          if (stopping) call.hangUp('NORMAL_TEMPORARY_FAILURE')
        },
        onOver(callId) {
          release()
          forget(callId)
        },
      },
      leg,
      arrival,
    )
    if (!started) release()
  }

  return {
    place(placing: Placing) {
      const { callId } = placing
      totals.placed += 1
      calls.set(
        callId,
        placeCall(deps, placing, () => forget(callId)),
      )
    },

    take(leg: IncomingLeg) {
      arrive(leg).catch((error: unknown) => {
        rest.log.error({ err: error }, 'a call that came could not be taken')
        leg.refuse(500)
      })
    },

    /** False when there is no such call, or it is over already. */
    hangUp(callId: string, cause?: Cause): boolean {
      const call = calls.get(callId)
      if (!call || call.isOver()) return false
      call.hangUp(cause)
      return true
    },

    live: () => [...calls.keys()],

    figures: () => ({
      calls: calls.size,
      calls_placed_total: totals.placed,
      calls_arrived_total: totals.arrived,
    }),

    /** Ends every call; done when all of them have been told over. */
    async stop() {
      stopping = true
      const over = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      for (const call of [...calls.values()]) call.hangUp('NORMAL_TEMPORARY_FAILURE')
      if (calls.size > 0) await over
    },
  }
}
