import type { SipMessage } from '../message/message.ts'
import type { Flow } from './flow.ts'

/** Sees every message, retransmissions included, as it is sent and before what is received is handled. */
export type MessageTap = {
  onSent(bytes: Buffer, flow: Flow): void
  /** `bytes` are absent for a message from a stream, of which only the parsed form is kept. */
  onReceived(message: SipMessage, flow: Flow, bytes?: Buffer): void
}
