/** A trunk as the operator described it: a connection to a carrier, in words that any engine can use. */

import type { CodecName } from '../../media/codecs/registry.ts'

export const trunkTransports = ['udp', 'tcp', 'tls'] as const
export type TrunkTransport = (typeof trunkTransports)[number]

/** How the carrier writes telephone numbers. */
export const numberFormats = ['e164-plus', 'e164', 'national'] as const
export type NumberFormat = (typeof numberFormats)[number]

export type TrunkSettings = {
  name: string
  /** The carrier's SIP URI, with a port or without, by name or by number. */
  address: string
  transport: TrunkTransport
  login: { username: string; password: string } | undefined
  /** Addresses and networks the carrier calls from, besides the address itself. */
  trust: readonly string[]
  format: NumberFormat
  /** Presented when a call has no number of its own; E.164 without plus. */
  callerId: string | undefined
  /** What stands in From: the presented number, or the login's username (the number is then only asserted). */
  from: 'number' | 'username'
  /** Prefixes of the numbers this trunk serves, E.164 without plus; empty serves all. */
  prefixes: readonly string[]
  /** D272: numbers of services and of emergency that the trunk takes, as they are dialled. */
  services: readonly string[]
  /** The lowest is tried first. */
  priority: number
  /** Its share among the trunks of one priority. */
  weight: number
  channels: number
  callsPerSecond: number
  /** Interval of the OPTIONS requests that check whether the carrier responds; 0 sends none and assumes that it does. */
  qualifySeconds: number
  codecs: readonly CodecName[]
  /** Whether its sound is protected by SRTP, with the keys in the SDP. */
  srtp: boolean
  /** Addresses (SIP_PUBLIC_HOST) of the nodes that use it; empty for all. */
  nodes: readonly string[]
  /** Whether we register at the carrier, as a phone would. */
  register: boolean
}
