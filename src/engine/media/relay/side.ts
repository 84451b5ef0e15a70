/** One of the two sides of a call: whom it is, what it speaks, what was counted. */

import { type RtpHeader, sequenceStep } from '../rtp/rtp.ts'
import { createLatch, type Expected } from './latch.ts'
import { createOutgoing } from './outgoing-stream.ts'
import type { Payload, Route } from './payload-routes.ts'
import type { TonePlayer } from './tone-player.ts'

export type SideName = 'extension' | 'other'

/** As the side's own SDP says it: `sendonly` speaks and wants to hear nothing. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** What a side's SDP tells. Behind NAT its address may be any. */
export type Description = Omit<Expected, 'behindNat'> & {
  behindNat?: boolean
  /** From `a=rtcp`; otherwise the port after. */
  rtcpPort?: number
  payloads: Payload[]
  direction?: Direction
}

/** Why a packet went no further. */
type Drops = {
  /** No RTP or RTCP of version 2, or longer than any. */
  malformed: number
  /** A payload type nobody agreed on. */
  payload: number
  /** Not yet believed to be the side. */
  waiting: number
  /** From somebody else. */
  foreign: number
  /** A direction says it is not wanted. */
  held: number
  /** The other side has no such payload, or no address yet. */
  undeliverable: number
  /** A tone is played in its stead. */
  replaced: number
}

export type SideStatistics = {
  received: { packets: number; bytes: number }
  sent: { packets: number; bytes: number }
  /** By sequence number: never came, or came after a later one. */
  lost: number
  late: number
  dropped: Drops
}

export function createSide(name: SideName) {
  const statistics: SideStatistics = {
    received: { packets: 0, bytes: 0 },
    sent: { packets: 0, bytes: 0 },
    lost: 0,
    late: 0,
    dropped: { malformed: 0, payload: 0, waiting: 0, foreign: 0, held: 0, undeliverable: 0, replaced: 0 },
  }
  return {
    name,
    latch: createLatch(),
    outgoing: createOutgoing(),
    statistics,
    payloads: [] as Payload[],
    routes: [] as (Route | undefined)[],
    direction: 'sendrecv' as Direction,
    rtcpPort: 0,
    /** Once RTCP has come from there. */
    rtcpSource: undefined as { address: string; port: number } | undefined,
    tone: undefined as TonePlayer | undefined,
    described: false,
    heard: false,
    heardAt: 0,
    toldSilent: false,
    ssrc: -1,
    sequence: 0,
    dtmfSsrc: -1,
    dtmfStamp: 0,
  }
}
export type Side = ReturnType<typeof createSide>

export const sends = (direction: Direction) => direction === 'sendrecv' || direction === 'sendonly'
export const hears = (direction: Direction) => direction === 'sendrecv' || direction === 'recvonly'

export function drop(side: Side, why: keyof Drops) {
  side.statistics.dropped[why] += 1
}

export function countReceived(side: Side, packet: Buffer, { ssrc, sequence }: RtpHeader) {
  const { statistics } = side
  statistics.received.packets += 1
  statistics.received.bytes += packet.length
  const step = ssrc === side.ssrc ? sequenceStep(side.sequence, sequence) : 1
  if (step < 0) {
    statistics.late += 1
    // It was counted as lost when a later one came.
    statistics.lost = Math.max(0, statistics.lost - 1)
    return
  }
  if (step > 1) statistics.lost += step - 1
  side.ssrc = ssrc
  side.sequence = sequence
}
