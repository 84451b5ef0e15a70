/** What both kinds of client transaction are to those who run them. */
import type { Timers } from '../../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import type { SipResponse } from '../../message/message.ts'
import type { Flow } from '../../transport/flow.ts'
import type { Timing } from '../timing.ts'
import type { AnswerListener } from '../transactions.ts'
import type { Sender, Sending } from './outgoing-request.ts'

export type Client = {
  readonly sending: Sending
  start(): void
  receive(response: SipResponse, flow: Flow): void
  /** The connection it went by is gone, or (`wasOpen` false) never came about. */
  lost(wasOpen: boolean): void
  /** Ends it without a word. */
  stop(): void
}

export type ClientDeps = {
  sending: Sending
  sender: Sender
  listener: AnswerListener
  timers: Timers
  timing: Timing
  counts: Counts
  /** It went by a connection, whose end it wants to hear of. */
  onSent(): void
  onOver(): void
}

export const nobody: AnswerListener = { final() {}, failed() {} }

/** Behind a browser's connection nobody can be found again; others may connect to us to answer. */
export function cannotReturn({ target }: Sending): boolean {
  return target.transport === 'ws' || target.transport === 'wss'
}
