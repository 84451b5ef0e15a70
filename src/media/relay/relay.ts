/**
 * Relays the media of a call between its two sides. It has neither sockets nor timers: packets and the time are
 * passed in, packets and events are passed out. Packets are modified in place unless they are transcoded.
 *
 *   validated ─▶ latched ─▶ recorded ─▶ converted, renumbered ─▶ sent
 */
import { type DecodedSound, maxSamplesPerPacket } from '../codecs/codec.ts'
import { readDigit, scaleDuration } from '../rtp/dtmf.ts'
import { readReportTimes } from '../rtp/report-times.ts'
import { isRtcp, renumberRtcp } from '../rtp/rtcp.ts'
import {
  createRtpHeader,
  defaultClockRate,
  maxPacketLength,
  type RtpHeader,
  readRtpHeader,
  writeMarkerAndType,
} from '../rtp/rtp.ts'
import { isSendable } from '../rtp/sendable-address.ts'
import { createKeyDetector } from '../sound/key-tones.ts'
import type { Recorder } from '../sound/recorder.ts'
import { createKeyPlayer } from './key-player.ts'
import {
  checkPayloads,
  negotiatedCodec,
  type Route,
  routesBetween,
  telephoneEventOf,
} from './payload-routes.ts'
import { createPlayer, type PlayRequest, type Sounds } from './player.ts'
import {
  countReceived,
  createSide,
  type Description,
  type Direction,
  drop,
  hasReceived,
  receives,
  type Side,
  type SideName,
  sends,
  statisticsOf,
} from './side.ts'

export type RelayEvent =
  /** The first accepted packets of a side: early media, or proof that media flows. */
  | { type: 'media'; side: SideName }
  /** A pressed key, sent as a telephone event or found in the sound. */
  | { type: 'dtmf'; side: SideName; digit: string; by: KeyKind }
  /** No packet from a side that should be sending. Emitted once per silence. */
  | { type: 'silent'; side: SideName }
  /** After `silent`: the side sends again, or a new SDP restarts its silence timeout. */
  | { type: 'resumed'; side: SideName }

export type KeyKind = 'event' | 'sound'
export type PacketKind = 'rtp' | 'rtcp'
type Send = (
  to: SideName,
  kind: PacketKind,
  packet: Buffer,
  port: number,
  address: string,
  now: number,
) => void
type Deps = {
  send: Send
  onEvent: (event: RelayEvent) => void
  silentAfterMs: number
  /** Those that can be played to a side, by name. */
  sounds?: Sounds
}

/** Samples of the packet being relayed, for keys, recording and transcoding. Shared by all calls of the thread. */
const decoded: DecodedSound = { samples: new Int16Array(maxSamplesPerPacket), count: 0 }

export function createRelay({ send, onEvent, silentAfterMs, sounds = {} }: Deps) {
  const header = createRtpHeader()
  const extension = createSide('extension')
  const other = createSide('other')
  const sides = { extension, other }
  let recorder: Recorder | undefined

  const peerOf = (side: Side) => (side === extension ? other : extension)

  function expect(name: SideName, description: Omit<Description, 'security'>, now: number) {
    const { address, port, signalsFrom = address, rtcpPort = port + 1, payloads, direction } = description
    const side = sides[name]
    checkPayloads(payloads)
    if (side.latch.expect({ address, port, signalsFrom, trusted: description.trusted })) {
      side.rtcpSource = undefined
      side.hasSentMedia = false
    }
    side.rtcpPort = rtcpPort
    side.isRtcpMuxed = description.isRtcpMuxed ?? false
    side.payloads = payloads
    side.codec = negotiatedCodec(payloads)
    side.telephoneEvent = telephoneEventOf(payloads)
    side.keyDetector = description.detectsKeys ? (side.keyDetector ?? createKeyDetector()) : undefined
    side.outgoing.setClockRate(side.codec?.codec.clockRate ?? defaultClockRate)
    side.isDescribed = true
    extension.routes = routesBetween(extension.payloads, other.payloads)
    other.routes = routesBetween(other.payloads, extension.payloads)
    setDirection(name, direction ?? 'sendrecv', now)
  }

  function setDirection(name: SideName, direction: Direction, now: number) {
    sides[name].direction = direction
    sides[name].lastPacketAt = now
    endSilence(sides[name])
  }

  function endSilence(side: Side) {
    if (side.isSilenceReported) onEvent({ type: 'resumed', side: side.name })
    side.isSilenceReported = false
  }

  /** `arrivedAt`: when the kernel received it, by which jitter is measured. */
  function receiveRtp(
    name: SideName,
    packet: Buffer,
    port: number,
    address: string,
    now: number,
    arrivedAt = now,
  ) {
    const side = sides[name]
    if (packet.length > maxPacketLength || !readRtpHeader(packet, header)) return drop(side, 'malformed')
    const route = side.routes[header.payloadType]
    if (!route) return drop(side, 'payload')
    const verdict = side.latch.admit(header, address, port, now)
    if (verdict !== 'accepted') return drop(side, verdict)
    if (!sends(side.direction)) return drop(side, 'held')
    noteReceived(side, packet, now)
    if (!route.isTelephoneEvent) side.quality.onPacket(header, route.clockRate, arrivedAt)
    if (route.isTelephoneEvent) {
      recorder?.pause(side === extension ? 0 : 1)
      const digit = readDigit(side.dtmf, packet, header)
      if (digit) onEvent({ type: 'dtmf', side: side.name, digit, by: 'event' })
    }
    const peer = peerOf(side)
    if (route.decode && (recorder || side.keyDetector || route.transcode)) {
      const { payloadStart, payloadEnd } = header
      decoded.count = route.decode(packet, payloadStart, payloadEnd, decoded.samples)
      if (detectKeys(side, peer, packet, route)) return drop(side, 'replaced')
      recorder?.add(side === extension ? 0 : 1, header, decoded, route.clockRate, now)
    }

    if (!receives(peer.direction)) return drop(side, 'held')
    if (route.number === undefined) return drop(side, 'undeliverable')
    if (peer.tone?.untilMedia) peer.tone = undefined
    if (peer.tone || peer.keys) return drop(side, 'replaced')
    if (route.table) convert(packet, header, route.table)
    else if (route.isTelephoneEvent && route.clockRatio !== 1) scaleDuration(packet, header, route.clockRatio)
    const sent = route.transcode ? route.transcode(packet, header.payloadStart, decoded) : packet
    const beginsSpurt = peer.outgoing.relay(sent, header, now, route.clockRatio)
    writeMarkerAndType(sent, header.marker || beginsSpurt, route.number)
    const failure = sendRtp(peer, sent, now)
    if (failure) drop(side, failure)
  }

  /**
   * D280: looks for keys in the decoded sound. If the peer gets them as telephone events, their tones are silenced, for the peer
   * and for the recording. True if the packet cannot be silenced, and is to be dropped.
   */
  function detectKeys(side: Side, peer: Side, packet: Buffer, { silence }: Route): boolean {
    const { keyDetector } = side
    if (!keyDetector) return false
    for (const digit of keyDetector.detect(decoded.samples, decoded.count))
      onEvent({ type: 'dtmf', side: side.name, digit, by: 'sound' })
    if (peer.telephoneEvent === undefined || !keyDetector.isSounding()) return false
    if (silence === undefined) return true
    packet.fill(silence, header.payloadStart, header.payloadEnd)
    decoded.samples.fill(0, 0, decoded.count)
    return false
  }

  /**
   * RTCP forms no stream that could be latched. It must come from the address of the side's RTP, and then always from
   * the same port. A side whose RTP comes from exactly the port in its SDP is not behind NAT, so its RTCP must come
   * from the port in its SDP too.
   */
  function receiveRtcp(name: SideName, packet: Buffer, port: number, address: string, now: number) {
    const side = sides[name]
    if (!isRtcp(packet)) return drop(side, 'malformed')
    const source = side.latch.target()
    if (source?.address !== address) return drop(side, 'foreign')
    const isPortOfSdp = port === (side.isRtcpMuxed ? source.port : side.rtcpPort)
    if (!isPortOfSdp && side.latch.matchesSdp()) return drop(side, 'foreign')
    if (isPortOfSdp || side.rtcpSource?.address !== source.address) side.rtcpSource = { address, port }
    if (side.rtcpSource.port !== port) return drop(side, 'foreign')
    side.statistics.reports += 1
    const peer = peerOf(side)
    // The peer receives the stream of the tone, which this side's reports are not about.
    if (peer.outgoing.isPlayingTone()) return drop(side, 'replaced')
    const target = peer.latch.target()
    if (!target) return drop(side, 'undeliverable')
    readReportTimes(packet, {
      onSent: (ntpMiddle) => peer.quality.onReportSent(ntpMiddle, now),
      onAnswered: (lastReport, delay) => side.quality.onReportReceived(lastReport, delay, now),
    })
    renumberRtcp(packet, peer.outgoing.renumbering(), side.outgoing.renumbering())
    const targetPort = rtcpPortOf(peer, target)
    if (!isSendable(target.address, targetPort)) return drop(side, 'undeliverable')
    if (!mayBeSentTo(peer, now)) return drop(side, 'unheard')
    send(peer.name, 'rtcp', packet, targetPort, target.address, now)
  }

  function noteReceived(side: Side, packet: Buffer, now: number) {
    side.lastPacketAt = now
    endSilence(side)
    if (!side.hasSentMedia) onEvent({ type: 'media', side: side.name })
    side.hasSentMedia = true
    countReceived(side, packet, header)
  }

  /** Why it was not sent, if it was not. */
  function sendRtp(side: Side, packet: Buffer, now: number): 'undeliverable' | 'unheard' | undefined {
    const target = side.latch.target()
    if (!target || !isSendable(target.address, target.port)) return 'undeliverable'
    if (!mayBeSentTo(side, now)) return 'unheard'
    side.statistics.sent.packets += 1
    side.statistics.sent.bytes += packet.length
    send(side.name, 'rtp', packet, target.port, target.address, now)
    return undefined
  }

  /** D175: without limit to a source that was heard, and to the address that the side signals from. */
  function mayBeSentTo({ latch, unheard }: Side, now: number): boolean {
    return latch.latched() || latch.isSignallingAddress() || unheard.take(now)
  }

  function playTone(name: SideName, request: PlayRequest, now: number) {
    const side = sides[name]
    side.tone = createPlayer(request, sounds, side.outgoing, now)
  }

  function stopTone(name: SideName) {
    sides[name].tone = undefined
  }

  /** Sends keys to the side, after those that it is being sent. */
  function pressKeys(name: SideName, keys: string, now: number) {
    const side = sides[name]
    side.keys ??= createKeyPlayer(side.outgoing, now)
    side.keys.press(keys)
  }

  /** Sends the packets of tones and keys that are due; to be called every 20 ms while there are any. */
  function tick(now: number) {
    for (const side of [extension, other]) {
      const send = (packet: Buffer) => receives(side.direction) && sendRtp(side, packet, now) === undefined
      if (side.keys) {
        if (side.keys.tick(now, side, send)) continue
        side.keys = undefined
        side.tone?.resume(now)
      }
      if (side.tone && !side.tone.tick(now, side.codec, send)) side.tone = undefined
    }
  }

  function checkSilence(now: number) {
    for (const side of [extension, other]) {
      // A side that holds the call is not expected to send, though `sendonly` would allow it.
      if (!side.isDescribed || side.isSilenceReported || side.direction !== 'sendrecv') continue
      if (now - side.lastPacketAt < silentAfterMs) continue
      side.isSilenceReported = true
      onEvent({ type: 'silent', side: side.name })
    }
  }

  return {
    expect,
    setDirection,
    receiveRtp,
    receiveRtcp,
    /** The side has proven by its key or by ICE that it sends and receives there. */
    prove: (name: SideName, port: number, address: string) => sides[name].latch.prove(address, port),
    /** D276: where the sound of the side has come from without a pause. */
    flowingFrom: (name: SideName, now: number) => sides[name].latch.flowing(now),
    isRtcpMuxed: (name: SideName) => sides[name].isRtcpMuxed,
    playTone,
    stopTone,
    pressKeys,
    tick,
    checkSilence,
    /** Whether `tick` is needed. */
    isPlaying: () => [extension, other].some(({ tone, keys }) => tone !== undefined || keys !== undefined),
    record(into: Recorder | undefined) {
      recorder = into
    },
    hasReceived: () => ({ extension: hasReceived(extension), other: hasReceived(other) }),
    statistics: () => ({ extension: statisticsOf(extension), other: statisticsOf(other) }),
  }
}
export type Relay = ReturnType<typeof createRelay>

function rtcpPortOf({ isRtcpMuxed, rtcpPort, rtcpSource }: Side, target: { address: string; port: number }) {
  if (isRtcpMuxed) return target.port
  return rtcpSource?.address === target.address ? rtcpSource.port : rtcpPort
}

function convert(packet: Buffer, { payloadStart, payloadEnd }: RtpHeader, table: Uint8Array) {
  for (let at = payloadStart; at < payloadEnd; at += 1) packet[at] = table[packet[at] ?? 0] ?? 0
}
