/** What INVITE and non-INVITE client transactions have in common. */
import type { Timers } from '../../../kit/timers.ts'
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
  /** The connection the request was sent on is closed, or (`wasOpen` false) was never established. */
  onConnectionLost(wasOpen: boolean): void
  /** Terminates the transaction without calling its listener. */
  stop(): void
}

export type ClientTransactionDeps = {
  request: OutgoingRequest
  transmitter: Transmitter
  listener: ResponseListener
  timers: Timers
  timing: Timing
  counts: Counts
  /** The request was sent: from now on the transaction depends on the connection of its flow. */
  onSent(): void
  onTerminated(): void
}

export const ignoreResponses: ResponseListener = { onFinal() {}, onFailed() {} }

/** Over WebSocket the response cannot arrive on a new connection; over TCP and TLS the peer may open one. */
export function cannotReconnect({ target }: OutgoingRequest): boolean {
  return target.transport === 'ws' || target.transport === 'wss'
}
