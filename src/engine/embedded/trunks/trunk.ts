/** A trunk: a way to a carrier, as the operator described it. */
import type { VoiceCodec } from '../../sip/sdp/codecs.ts'
import type { SipUri } from '../../sip/uri/uri.ts'
import type { NumberFormat } from './number-format.ts'

export type TrunkTransport = 'udp' | 'tcp' | 'tls'

export type Trunk = {
  name: string
  /** Where the carrier is; a port or none, a name or a number. */
  address: SipUri
  transport: TrunkTransport
  login: { username: string; password: string } | undefined
  /** Addresses and networks the carrier calls from, besides the address itself. */
  trust: readonly string[]
  format: NumberFormat
  /** Presented when a call has no number of its own; E.164 without plus. */
  callerId: string | undefined
  /** What stands in From: the presented number, or the login's username (the number is then only asserted). */
  from: 'number' | 'username'
  /** Only numbers that begin so, E.164 without plus; empty serves all. */
  prefixes: readonly string[]
  /** The lowest is tried first. */
  priority: number
  /** Its share among those of one priority. */
  weight: number
  channels: number
  callsPerSecond: number
  /** How often OPTIONS asks whether it is there; 0 never asks and takes it for alive. */
  qualifySeconds: number
  codecs: readonly VoiceCodec[]
  /** Whether we register at the carrier, as a phone would. */
  register: boolean
}
