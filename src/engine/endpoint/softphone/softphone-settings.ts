/** The settings of a softphone, and the events it emits. */

import type { Log } from '../../../kit/process/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Peer } from '../../../sip/transport/flow.ts'
import type { AudioSource } from '../audio/audio-source.ts'
import type { CallEnd } from '../call/endpoint-call.ts'

export type PhoneEvent =
  | { type: 'registered'; seconds: number }
  /** Without `retrySeconds` there is no retry: the password is wrong, another phone has displaced this one, or it has other servers. */
  | { type: 'registrationFailed'; status?: number; reason: string; retrySeconds?: number }
  | { type: 'incoming'; number: string; name?: string; callId?: string }
  | { type: 'progress'; status: number }
  | { type: 'answered' }
  | { type: 'digit'; digit: string }
  | ({ type: 'ended' } & CallEnd)

export type SoftphoneSettings = {
  extension: string
  password: string
  /** The account's domain. */
  domain: string
  server: Peer
  transport: 'udp' | 'tcp' | 'ws'
  /** What to do with an incoming call; `ask` rings until `answer` or `refuse` is called. */
  answer: 'auto' | 'ask' | 'refuse' | 'busy'
  answerAfterSeconds?: number | undefined
  hangUpAfterSeconds?: number | undefined
  play(): AudioSource
  /** A file for the received audio, replaced by every call. */
  record?: string | undefined
  registerSeconds?: number
  /** False for a phone that registers at another server instead. */
  retries?: boolean
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  onEvent(event: PhoneEvent): void
}
