/** What both kinds of client transaction are to those who run them. */
import type { Timers } from '../../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import type { SipResponse } from '../../message/message.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Timing } from '../timing.ts'
import type { ResponseListener } from '../transactions.ts'
import type { OutgoingRequest, Transmitter } from './outgoing-request.ts'

export type ClientTransaction = {
  readonly request: OutgoingRequest
  start(): void
  receive(response: SipResponse, flow: Flow): void
  /** The connection it went by is gone, or (`wasOpen` false) never came about. */
  onConnectionLost(wasOpen: boolean): void
  /** Ends it without a word. */
  stop(): void
}

export type ClientTransactionDeps = {
  request: OutgoingRequest
  sender: Transmitter
  listener: ResponseListener
  timers: Timers
  timing: Timing
  counts: Counts
  /** It went by a connection, whose end it wants to hear of. */
  onSent(): void
  onTerminated(): void
}

export const ignoreResponses: ResponseListener = { onFinal() {}, onFailed() {} }

/** Behind a browser's connection nobody can be found again; others may connect to us to answer. */
export function cannotReconnect({ target }: OutgoingRequest): boolean {
  return target.transport === 'ws' || target.transport === 'wss'
}
