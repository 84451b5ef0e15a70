/**
 * A request that came and is no INVITE (RFC 3261, 17.2.2).
 *
 *   proceeding ──▶ completed ──▶ over     timer J
 *
 * One that nobody answers is forgotten when its sender has given up: a late answer would reach nobody (RFC 4320).
 */
import type { SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
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

export function createOtherServers({ timers, timing, shelf, send, forget }: ServerDeps) {
  function open(server: Server) {
    server.timer = timers.after(patience(timing), () => end(server))
  }

  function respond(server: Server, response: SipResponse) {
    if (server.state !== 'proceeding') return
    // Timer J. On a connection nothing is repeated.
    if (server.reliable && isFinal(response)) return respondOnce(server, response)
    server.last = sendKept(response, server.path, send)
    if (!isFinal(response)) return
    settle(server, 'completed')
    shelf.put(server)
  }

  function respondOnce(server: Server, response: SipResponse) {
    if (server.state !== 'proceeding') return
    send(serialise(response), server.path)
    end(server)
  }

  function repeated(server: Server) {
    if (server.last) send(bytesOf(server.last), server.path)
  }

  function end(server: Server) {
    endServer(server)
    forget(server)
  }

  return { open, respond, respondOnce, repeated }
}
