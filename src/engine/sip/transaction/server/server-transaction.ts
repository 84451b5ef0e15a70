/**
 * A request that came, as long as it is remembered. A plain record: once it is answered it holds no more than the
 * bytes to answer again with, since there may be very many.
 */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import type { Repeater } from '../retransmission.ts'
import type { Timing } from '../timing.ts'

export type Server = {
  readonly key: string
  readonly invite: boolean
  readonly path: Target
  readonly reliable: boolean
  state: 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'over'
  /** Until it is answered. */
  request: SipRequest | undefined
  /** The bytes of the response to repeat, as Latin-1 text: kept as a buffer they would keep their whole page. */
  last: string | undefined
  /** A CANCEL that came, and who wants to hear of it. */
  cancel: SipRequest | undefined
  onCancel: ((cancel: SipRequest) => void) | undefined
  timer: Timer | undefined
  repeating: Repeater | undefined
}

export type ServerDeps = {
  timers: Timers
  timing: Timing
  /** Where answered ones are kept for a while. */
  shelf: { put(server: Server): void; take(server: Server): void }
  send(bytes: Buffer, path: Target): void
  /** Takes it out of the table. */
  forget(server: Server): void
}

export function newServer(request: SipRequest, key: string, flow: Flow, path: Target): Server {
  return {
    key,
    invite: request.method === 'INVITE',
    path,
    reliable: flow.transport !== 'udp',
    state: 'proceeding',
    request,
    last: undefined,
    cancel: undefined,
    onCancel: undefined,
    timer: undefined,
    repeating: undefined,
  }
}

/** The request and all that waited for its answer are let go. */
export function settle(server: Server, state: Server['state']) {
  server.state = state
  server.request = undefined
  server.cancel = undefined
  server.onCancel = undefined
  server.timer?.cancel()
  server.timer = undefined
}

export function endServer(server: Server) {
  settle(server, 'over')
  server.repeating?.stop()
  server.last = undefined
}

/** Sends a response, and says what to keep of it. */
export function sendKept(response: SipResponse, path: Target, send: ServerDeps['send']): string {
  const bytes = serialise(response)
  send(bytes, path)
  return bytes.toString('latin1')
}

export function bytesOf(last: string): Buffer {
  return Buffer.from(last, 'latin1')
}

export const isFinal = ({ status }: SipResponse): boolean => status >= 200
