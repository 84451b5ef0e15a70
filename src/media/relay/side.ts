/** One of the two sides of a call: its source, its payload types, its direction and its statistics. */
import type { DtmfState } from '../rtp/dtmf.ts'
import { type RtpHeader, sequenceStep } from '../rtp/rtp.ts'
import type { Security } from '../secure/security.ts'
import type { KeyDetector } from '../sound/key-tones.ts'
import type { KeyPlayer } from './key-player.ts'
import { createLatch, type ExpectedSource } from './latch.ts'
import { createOutgoingStream } from './outgoing-stream.ts'
import type { NegotiatedCodec, Payload, Route } from './payload-routes.ts'
import type { Player } from './player.ts'
import { createQuality } from './quality.ts'
import { createRecentSequences, maxRecent } from './recent-sequences.ts'
import { createUnheardBudget } from './unheard-budget.ts'

export type SideName = 'extension' | 'other'

/** As the side's own SDP says it: `sendonly` sends media and wants to receive none. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** The media part of a side's SDP. By default the side signals from the address in it. */
export type Description = Omit<ExpectedSource, 'signalsFrom'> & {
  signalsFrom?: string
  /** From `a=rtcp`; by default the port after the RTP port. */
  rtcpPort?: number
  /** RTCP uses the port of RTP (RFC 5761). */
  isRtcpMuxed?: boolean
  payloads: Payload[]
  /** Keys are looked for in the sound of the side; it costs about a thousandth of a core. */
  detectsKeys?: boolean
  direction?: Direction
  /** Without it, the sound is plain RTP. */
  security?: Security | undefined
}

/** Dropped packets by reason. */
type Drops = {
  /** Not RTP or RTCP of version 2, or too long. */
  malformed: number
  /** A payload type that was not negotiated. */
  payload: number
  /** From a source that is not yet latched. */
  waiting: number
  /** From a source other than the latched one. */
  foreign: number
  /** Not wanted in the negotiated direction. */
  held: number
  /** The peer has no such payload type, or no address yet. */
  undeliverable: number
  /** A tone is played to the peer instead. */
  replaced: number
  /** Not sent, because the peer was never heard (D175). */
  unheard: number
}

export type SideStatistics = {
  received: { packets: number; bytes: number }
  sent: { packets: number; bytes: number }
  /** RTCP packets received. */
  reports: number
  /** Sequence numbers that never came. */
  lost: number
  /** At the end of the stream, in ms. */
  jitterMs: number
  /** To the side and back, in ms; undefined if its reports did not say. */
  roundTripMs: number | undefined
  /** Packets that came after one with a higher sequence number. */
  late: number
  dropped: Drops
}

export function createSide(name: SideName) {
  const statistics: Omit<SideStatistics, 'jitterMs' | 'roundTripMs'> = {
    received: { packets: 0, bytes: 0 },
    sent: { packets: 0, bytes: 0 },
    reports: 0,
    lost: 0,
    late: 0,
    dropped: {
      malformed: 0,
      payload: 0,
      waiting: 0,
      foreign: 0,
      held: 0,
      undeliverable: 0,
      replaced: 0,
      unheard: 0,
    },
  }
  const dtmf: DtmfState = { ssrc: -1, timestamp: 0 }
  return {
    name,
    latch: createLatch(),
    outgoing: createOutgoingStream(),
    unheard: createUnheardBudget(),
    statistics,
    quality: createQuality(),
    dtmf,
    payloads: [] as Payload[],
    /** The codec in which we send audio to this side. */
    codec: undefined as NegotiatedCodec | undefined,
    routes: [] as (Route | undefined)[],
    direction: 'sendrecv' as Direction,
    rtcpPort: 0,
    isRtcpMuxed: false,
    /** Set once RTCP has been received. */
    rtcpSource: undefined as { address: string; port: number } | undefined,
    tone: undefined as Player | undefined,
    /** Keys that are being sent to the side; they come before its tone and the sound of its peer. */
    keys: undefined as KeyPlayer | undefined,
    telephoneEvent: undefined as number | undefined,
    keyDetector: undefined as KeyDetector | undefined,
    isDescribed: false,
    hasSentMedia: false,
    lastPacketAt: 0,
    isSilenceReported: false,
    ssrc: -1,
    sequence: 0,
    recent: createRecentSequences(),
  }
}
export type Side = ReturnType<typeof createSide>

export function statisticsOf({ statistics, quality }: Side): SideStatistics {
  return { ...statistics, jitterMs: quality.jitterMs(), roundTripMs: quality.roundTripMs() }
}

export const hasReceived = ({ statistics }: Side) => statistics.received.packets + statistics.reports > 0

export const sends = (direction: Direction) => direction === 'sendrecv' || direction === 'sendonly'
export const receives = (direction: Direction) => direction === 'sendrecv' || direction === 'recvonly'

export function drop(side: Side, reason: keyof Drops) {
  side.statistics.dropped[reason] += 1
}

/** A packet that the network delivered twice is counted once: it makes up for no packet that was lost. */
export function countReceived(side: Side, packet: Buffer, { ssrc, sequence }: RtpHeader) {
  const { statistics } = side
  const jump = ssrc === side.ssrc ? sequenceStep(side.sequence, sequence) : -maxRecent
  const step = jump > -maxRecent ? jump : 1
  if (step !== jump) side.recent.clear()
  if (!side.recent.add(sequence)) return
  statistics.received.packets += 1
  statistics.received.bytes += packet.length
  if (step < 0) {
    statistics.late += 1
    // It was counted as lost when a later packet came.
    statistics.lost = Math.max(0, statistics.lost - 1)
    return
  }
  if (step > 1) statistics.lost += step - 1
  side.ssrc = ssrc
  side.sequence = sequence
}
