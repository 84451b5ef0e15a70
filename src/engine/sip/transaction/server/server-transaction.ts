/**
 * A request that came, as long as it is remembered. A plain record: once it is answered it holds no more than the
 * bytes to answer again with, since there may be very many.
 */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import type { Retransmission } from '../retransmission.ts'
import type { Timing } from '../timing.ts'

export type ServerTransaction = {
  readonly key: string
  readonly invite: boolean
  readonly path: Target
  readonly reliable: boolean
  state: 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'over'
  /** Until it is answered. */
  request: SipRequest | undefined
  /** The bytes of the response to repeat, as Latin-1 text: kept as a buffer they would keep their whole page. */
  lastResponse: string | undefined
  /** A CANCEL that came, and who wants to hear of it. */
  cancel: SipRequest | undefined
  onCancel: ((cancel: SipRequest) => void) | undefined
  timer: Timer | undefined
  retransmission: Retransmission | undefined
}

export type ServerTransactionDeps = {
  timers: Timers
  timing: Timing
  /** Where answered ones are kept for a while. */
  responses: { put(server: ServerTransaction): void; take(server: ServerTransaction): void }
  send(bytes: Buffer, path: Target): void
  /** Takes it out of the table. */
  forget(server: ServerTransaction): void
}

export function newServerTransaction(
  request: SipRequest,
  key: string,
  flow: Flow,
  path: Target,
): ServerTransaction {
  return {
    key,
    invite: request.method === 'INVITE',
    path,
    reliable: flow.transport !== 'udp',
    state: 'proceeding',
    request,
    lastResponse: undefined,
    cancel: undefined,
    onCancel: undefined,
    timer: undefined,
    retransmission: undefined,
  }
}

/** The request and all that waited for its answer are let go. */
export function releaseRequest(server: ServerTransaction, state: ServerTransaction['state']) {
  server.state = state
  server.request = undefined
  server.cancel = undefined
  server.onCancel = undefined
  server.timer?.cancel()
  server.timer = undefined
}

export function endServerTransaction(server: ServerTransaction) {
  releaseRequest(server, 'over')
  server.retransmission?.stop()
  server.lastResponse = undefined
}

/** Sends a response, and says what to keep of it. */
export function sendAndKeep(
  response: SipResponse,
  path: Target,
  send: ServerTransactionDeps['send'],
): string {
  const bytes = serialise(response)
  send(bytes, path)
  return bytes.toString('latin1')
}

export function toBytes(last: string): Buffer {
  return Buffer.from(last, 'latin1')
}

export const isFinal = ({ status }: SipResponse): boolean => status >= 200
