/**
 * The far leg: the routes to the destination are tried one after the other, until one of them rings or answers.
 *
 *   trying ─▶ rings ─▶ answered
 *     └─▶ the next route, or failed
 */
import type { Cause } from '../../../contract/causes.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { LegFailure, LegListener, OutgoingLeg, UserAgent } from '../../sip/dialog/leg.ts'
import type { Sdp } from '../../sip/sdp/sdp.ts'
import type { OpenRoute, Route } from './routes.ts'
import { causeOfFailure, reasonHeaders } from './sip-causes.ts'

/** How long a carrier may take to say anything, while there is another to try. */
const patienceMs = 5_000

/** `tried`: somebody was asked, and it is he who failed. */
export type FarFailure = { cause: Cause; tried: boolean }

type Deps = {
  userAgent: UserAgent
  timers: Timers
  offer(codecs: Route['codecs']): Sdp
  /** What the far side says of its sound; false if we could not talk over it. `from` is where it signals from. */
  settle(description: Sdp, from: string): boolean
  listener(from: string): LegListener
}

/** After `end` nothing is told any more. */
type Told = {
  /** The first provisional response on a route; with sound, or ringing, or neither yet. */
  progress(what: 'sound' | 'ringing' | undefined): void
  /** `isHeard`: we can talk over what it described. */
  answered(isHeard: boolean): void
  failed(failure: FarFailure): void
}

type Attempt = { route: Route; leg: OutgoingLeg; end(cause: Cause): void }

export function dialFar(deps: Deps, routes: OpenRoute[], told: Told) {
  const { userAgent, timers, settle } = deps
  let attempt: Attempt | undefined
  let isOver = false

  function tryNext([next, ...others]: OpenRoute[], failed: FarFailure | undefined) {
    attempt = undefined
    if (!next) {
      isOver = true
      told.failed(failed ?? { cause: 'NO_ROUTE_DESTINATION', tried: false })
      return
    }
    const route = next()
    if (typeof route !== 'string') attempt = callBy(route, others)
    else tryNext(others, failed ?? { cause: route, tried: false })
  }

  function callBy(route: Route, others: OpenRoute[]): Attempt {
    const from = route.calling.target.remote.address
    let rang = false
    let early = false
    let givenUp = false
    // A carrier that says nothing at all is not waited for while there is another.
    const patience = others.length > 0 ? timers.after(patienceMs, giveUp) : undefined
    const isPast = () => isOver || givenUp

    function giveUp() {
      if (isOver) return
      givenUp = true
      leg.cancel(reasonHeaders('NETWORK_OUT_OF_ORDER'))
      route.release()
      tryNext(others, { cause: 'NETWORK_OUT_OF_ORDER', tried: false })
    }

    function fail(failure: LegFailure) {
      const cause = causeOfFailure(failure, route.callee)
      if (!rang && !early && route.mayTryNext(failure)) {
        tryNext(others, { cause, tried: failure.status !== undefined })
        return
      }
      attempt = undefined
      isOver = true
      told.failed({ cause, tried: true })
    }

    const leg = userAgent.call(
      { ...route.calling, offer: deps.offer(route.codecs) },
      {
        ...deps.listener(from),
        heardOf: () => patience?.cancel(),
        progress(status, description) {
          if (isPast()) return
          if (status === 180) rang = true
          if (description && settle(description, from)) early = true
          told.progress(early ? 'sound' : status === 180 ? 'ringing' : undefined)
        },
        answered(description) {
          patience?.cancel()
          if (!isPast()) told.answered(description ? settle(description, from) : early)
        },
        failed(failure) {
          patience?.cancel()
          route.release()
          if (!isPast()) fail(failure)
        },
      },
    )
    function end(cause: Cause) {
      patience?.cancel()
      leg.cancel(reasonHeaders(cause))
    }
    return { route, leg, end }
  }

  tryNext(routes, undefined)
  return {
    leg: () => attempt?.leg,
    end(cause: Cause) {
      isOver = true
      attempt?.end(cause)
      attempt?.route.release()
    },
  }
}
export type Far = ReturnType<typeof dialFar>
