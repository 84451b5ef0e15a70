/**
 * What INVITE and non-INVITE transaction transactions have in common. A plain record: after the final response it holds
 * only the bytes of that response, since there may be very many.
 */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import { type KeptBytes, keepBytes } from '../kept-bytes.ts'
import type { Retransmission } from '../retransmission.ts'
import type { Timing } from '../timing.ts'

export type ServerTransaction = {
  readonly key: string
  readonly invite: boolean
  /** Where responses go. */
  readonly path: Target
  readonly reliable: boolean
  state: 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated'
  /** Released after the final response. */
  request: SipRequest | undefined
  /** To retransmit. */
  lastResponse: KeptBytes | undefined
  /** The CANCEL that was received, and its listener. */
  cancel: SipRequest | undefined
  onCancel: ((cancel: SipRequest) => void) | undefined
  timer: Timer | undefined
  retransmission: Retransmission | undefined
}

export type ServerTransactionDeps = {
  timers: Timers
  timing: Timing
  /** Keeps completed transactions for retransmitted requests. */
  responses: { put(transaction: ServerTransaction): void; take(transaction: ServerTransaction): void }
  send(bytes: Buffer, path: Target): void
  /** Removes it from the table. */
  forget(transaction: ServerTransaction): void
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

/** Moves to a state in which the request and its listeners are no longer needed. */
export function releaseRequest(transaction: ServerTransaction, state: ServerTransaction['state']) {
  transaction.state = state
  transaction.request = undefined
  transaction.cancel = undefined
  transaction.onCancel = undefined
  transaction.timer?.cancel()
  transaction.timer = undefined
}

export function endServerTransaction(transaction: ServerTransaction) {
  releaseRequest(transaction, 'terminated')
  transaction.retransmission?.stop()
  transaction.lastResponse = undefined
}

/** Sends a response; returns what to keep for retransmission. */
export function sendAndKeep(
  response: SipResponse,
  path: Target,
  send: ServerTransactionDeps['send'],
): KeptBytes {
  const bytes = serialise(response)
  send(bytes, path)
  return keepBytes(bytes)
}

export const isFinal = ({ status }: SipResponse): boolean => status >= 200
