/**
 * An INVITE that came (RFC 3261, 17.2.1; RFC 6026).
 *
 *   proceeding ──▶ accepted ──▶ over                      2xx: repeated by whoever gave it, until timer L
 *       └────────▶ completed ─▶ confirmed ─▶ over         300 and above: repeated until the ACK (G, H), then timer I
 */
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { repeatSlower } from '../retransmission.ts'
import { patience } from '../timing.ts'
import {
  bytesOf,
  endServer,
  isFinal,
  type Server,
  type ServerDeps,
  sendKept,
  settle,
} from './server-transaction.ts'

/** RFC 3261, 17.2.1: whoever takes longer to say anything has 100 said in his place. */
const tryingMs = 200

export function createInviteServers({ timers, timing, shelf, send, forget }: ServerDeps) {
  function open(server: Server) {
    server.timer = timers.after(tryingMs, () => {
      if (server.request) respond(server, buildResponse(server.request, 100))
    })
  }

  function respond(server: Server, response: SipResponse) {
    if (server.state !== 'proceeding') return
    server.timer?.cancel()
    server.last = sendKept(response, server.path, send)
    if (isFinal(response)) finish(server, response.status)
  }

  function finish(server: Server, status: number) {
    if (status < 300) {
      settle(server, 'accepted')
      server.timer = timers.after(patience(timing), () => end(server))
      return
    }
    settle(server, 'completed')
    // Timer H is the shelf's.
    shelf.put(server)
    if (server.reliable || server.state !== 'completed') return
    server.repeating = repeatSlower(timers, timing.t1, timing.t2, () => sendLast(server))
  }

  /** RFC 6026, 7.1: our 2xx is repeated from above, whether the INVITE comes again or not. */
  function repeated(server: Server) {
    if (server.state === 'proceeding' || server.state === 'completed') sendLast(server)
  }

  /** True if it is for whoever accepted. */
  function acknowledged(server: Server): boolean {
    if (server.state === 'completed') confirm(server)
    return server.state === 'accepted'
  }

  function confirm(server: Server) {
    server.state = 'confirmed'
    server.repeating?.stop()
    shelf.take(server)
    server.last = undefined
    if (server.reliable) end(server)
    else server.timer = timers.after(timing.t4, () => end(server))
  }

  /** Once; after the final answer it is too late. */
  function cancelled(server: Server, cancel: SipRequest) {
    if (server.state !== 'proceeding' || server.cancel) return
    server.cancel = cancel
    server.onCancel?.(cancel)
  }

  function onCancel(server: Server, listener: (cancel: SipRequest) => void) {
    if (server.state !== 'proceeding') return
    server.onCancel = listener
    if (server.cancel) listener(server.cancel)
  }

  function repeatAccepted(server: Server) {
    if (server.state === 'accepted') sendLast(server)
  }

  function sendLast(server: Server) {
    if (server.last) send(bytesOf(server.last), server.path)
  }

  function end(server: Server) {
    endServer(server)
    forget(server)
  }

  return { open, respond, repeated, acknowledged, cancelled, onCancel, repeatAccepted }
}
