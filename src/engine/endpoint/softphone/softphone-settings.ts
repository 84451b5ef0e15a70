/** What a softphone is told at the start, and what it tells. */

import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Peer } from '../../sip/transport/flow.ts'
import type { Play } from '../audio/audio-source.ts'
import type { CallEnd } from '../call/endpoint-call.ts'

export type PhoneEvent =
  | { type: 'registered'; seconds: number }
  /** Without `retrySeconds` it is not tried again: the password is wrong, or another phone took our place. */
  | { type: 'registrationFailed'; status?: number; reason: string; retrySeconds?: number }
  | { type: 'incoming'; number: string; name?: string; callId?: string }
  | { type: 'progress'; status: number }
  | { type: 'answered' }
  | { type: 'digit'; digit: string }
  | ({ type: 'ended' } & CallEnd)

export type SoftphoneSettings = {
  extension: string
  password: string
  /** Of the account. */
  domain: string
  server: Peer
  transport: 'udp' | 'tcp' | 'ws'
  /** What becomes of a call that comes; `ask` rings until told. */
  answer: 'auto' | 'ask' | 'refuse' | 'busy'
  answerAfterSeconds?: number | undefined
  hangUpAfterSeconds?: number | undefined
  play(): Play
  /** A file for what is heard, made anew by every call. */
  record?: string | undefined
  registerSeconds?: number
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  tell(event: PhoneEvent): void
}
