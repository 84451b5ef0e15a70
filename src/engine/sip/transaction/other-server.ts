/**
 * A request that came and is no INVITE (RFC 3261, 17.2.2).
 *
 *   proceeding ──▶ completed ──▶ over     timer J
 *
 * One that nobody answers is forgotten when its sender has given up: a late answer would reach nobody (RFC 4320).
 */
import type { SipResponse } from '../message/message.ts'
import { serialise } from '../message/serialise.ts'
import { endServer, isFinal, type Server, type ServerDeps, settle } from './server.ts'
import { patience } from './timing.ts'

export function createOtherServers({ timers, timing, shelf, send, forget }: ServerDeps) {
  function open(server: Server) {
    server.timer = timers.after(patience(timing), () => end(server))
  }

  function respond(server: Server, response: SipResponse) {
    if (server.state !== 'proceeding') return
    server.last = serialise(response)
    send(server.last, server.path)
    if (!isFinal(response)) return
    settle(server, 'completed')
    // Timer J. On a connection nothing is repeated.
    if (server.reliable) end(server)
    else shelf.put(server)
  }

  function repeated(server: Server) {
    if (server.last) send(server.last, server.path)
  }

  function end(server: Server) {
    endServer(server)
    forget(server)
  }

  return { open, respond, repeated }
}
