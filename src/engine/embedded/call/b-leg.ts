/**
 * The B leg: the routes to the destination are tried one after the other, until one of them rings or answers.
 *
 *   trying ─▶ ringing ─▶ answered
 *     └─▶ the next route, or failed
 */
import type { Cause } from '../../../contract/calls/causes.ts'
import { andThen } from '../../../kit/maybe.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Leg, LegFailure, LegListener, OutgoingLeg } from '../../../sip/dialog/leg.ts'
import type { Sdp } from '../../../sip/sdp/sdp.ts'
import type { Target } from '../../../sip/transport/flow.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import { readRedirect } from './forwarding.ts'
import type { OpenRoute, Route } from './routes.ts'
import { causeOfFailure, reasonHeaders } from './sip-causes.ts'

/** D118: how long a carrier may stay silent while there is another route. */
const noResponseMs = 5_000

/** `byCallee`: true if an INVITE was sent and the callee made the call fail. `redirectedTo`: what a phone named (D273). */
export type BLegFailure = { cause: Cause; byCallee: boolean; redirectedTo?: string | undefined }

type Deps = {
  userAgent: UserAgent
  timers: Timers
  /** In the order to try them. */
  routes: OpenRoute[]
  offer(route: Route): Sdp
  /** Takes the callee's SDP; false if there is no common codec. `from` is where it signals from. */
  settle(description: Sdp, from: Target): boolean
  listener(): LegListener
  /** An INVITE was sent, whose Call-ID is `dialog`. */
  onInvited?(dialog: string, route: Route): void
  /** A provisional response. Neither `onProgress` nor the next two are called after `end`. */
  onProgress(progress: 'early media' | 'ringing' | undefined): void
  /** `compatible`: false if there is no common codec. */
  onAnswered(compatible: boolean): void
  onFailed(failure: BLegFailure): void
}

type Attempt = { route: Route; leg: OutgoingLeg; end(cause: Cause): void }

export function dialBLeg(deps: Deps): BLeg {
  const { userAgent, timers, settle } = deps
  let attempt: Attempt | undefined
  let isOver = false

  function tryNext([next, ...others]: OpenRoute[], failed: BLegFailure | undefined) {
    attempt = undefined
    if (!next) {
      isOver = true
      deps.onFailed(failed ?? { cause: 'NO_ROUTE_DESTINATION', byCallee: false })
      return
    }
    const opened = andThen(next(), (route) => takeRoute(route, others, failed))
    if (opened instanceof Promise) {
      opened.catch(() => takeRoute('NORMAL_TEMPORARY_FAILURE', others, failed))
    }
  }

  /** The call may have ended while its route was searched for. */
  function takeRoute(route: Route | Cause, others: OpenRoute[], failed: BLegFailure | undefined) {
    if (typeof route === 'string') {
      if (!isOver) tryNext(others, failed ?? { cause: route, byCallee: false })
    } else if (isOver) route.release()
    else attempt = callBy(route, others)
  }

  function callBy(route: Route, others: OpenRoute[]): Attempt {
    const from = route.calling.target
    let rang = false
    let earlyMedia = false
    let abandoned = false
    const timeout =
      others.length > 0 && route.callee === 'carrier' ? timers.after(noResponseMs, abandon) : undefined
    const isPast = () => isOver || abandoned

    function abandon() {
      if (isOver) return
      abandoned = true
      leg.cancel(reasonHeaders('NETWORK_OUT_OF_ORDER'))
      route.release()
      tryNext(others, { cause: 'NETWORK_OUT_OF_ORDER', byCallee: false })
    }

    function fail(failure: LegFailure) {
      const cause = causeOfFailure(failure, route.callee)
      if (!rang && !earlyMedia && route.mayTryNext(failure)) {
        tryNext(others, { cause, byCallee: failure.status !== undefined })
        return
      }
      attempt = undefined
      isOver = true
      const redirectedTo = route.callee === 'phone' ? readRedirect(failure) : undefined
      deps.onFailed({ cause, byCallee: true, redirectedTo })
    }

    const leg = userAgent.invite(
      { ...route.calling, offer: deps.offer(route) },
      {
        ...deps.listener(),
        onFirstResponse: () => timeout?.cancel(),
        onProgress(status, description) {
          if (isPast()) return
          if (status === 180) rang = true
          if (description && settle(description, from)) earlyMedia = true
          deps.onProgress(earlyMedia ? 'early media' : isAlerting(status) ? 'ringing' : undefined)
        },
        onAnswered(description) {
          timeout?.cancel()
          if (!isPast()) deps.onAnswered(description ? settle(description, from) : earlyMedia)
        },
        onFailed(failure) {
          timeout?.cancel()
          route.release()
          if (!isPast()) fail(failure)
        },
      },
    )
    deps.onInvited?.(leg.callId, route)
    function end(cause: Cause) {
      timeout?.cancel()
      leg.cancel(reasonHeaders(cause))
    }
    return { route, leg, end }
  }

  tryNext(deps.routes, undefined)
  return {
    leg: () => attempt?.leg,
    end(cause: Cause) {
      isOver = true
      attempt?.end(cause)
      attempt?.route.release()
    },
  }
}
/** Carriers also say by 181, 182 or 183 without SDP that the caller has to wait; then there is no sound but our ringback. */
function isAlerting(status: number): boolean {
  return status >= 180 && status <= 183
}

/** Also what takes its place once the call is talked in. */
export type BLeg = { leg(): Leg | undefined; end(cause: Cause): void }
