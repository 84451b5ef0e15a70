/**
 * A call's media between its two sides, without a socket or a timer of its own: packets and the time are handed
 * in, packets and events handed out. Packets are changed where they lie.
 *
 *   checked ─▶ latched ─▶ recorded ─▶ converted, renumbered ─▶ sent
 */

import { readDigit } from '../rtp/dtmf.ts'
import { isRtcp, renumberRtcp } from '../rtp/rtcp.ts'
import { createHeader, longestPacket, type RtpHeader, readRtp, writeRtp } from '../rtp/rtp.ts'
import { isSendable } from '../rtp/sendable-address.ts'
import type { Recorder } from '../sound/recorder.ts'
import { checkPayloads, lawOf, routesBetween } from './payload-routes.ts'
import {
  countReceived,
  createSide,
  type Description,
  type Direction,
  drop,
  hears,
  type Side,
  type SideName,
  sends,
} from './side.ts'
import { createTonePlayer, type ToneWish } from './tone-player.ts'

export type RelayEvent =
  /** The first packets believed to be the side's: early media, or proof that it can be heard. */
  | { type: 'media'; side: SideName }
  | { type: 'dtmf'; side: SideName; digit: string }
  /** Nothing has come from a side that should be sending; told once until it is heard again. */
  | { type: 'silent'; side: SideName }
  /** After `silent`: it sends again, or a new description gives it time anew. */
  | { type: 'heard'; side: SideName }

export type Wire = 'rtp' | 'rtcp'
type Send = (to: SideName, wire: Wire, packet: Buffer, port: number, address: string) => void
type Deps = { send: Send; tell: (event: RelayEvent) => void; silentAfter: number }

export function createRelay({ send, tell, silentAfter }: Deps) {
  const header = createHeader()
  const extension = createSide('extension')
  const other = createSide('other')
  const sides = { extension, other }
  let recorder: Recorder | undefined

  const peerOf = (side: Side) => (side === extension ? other : extension)

  function expect(name: SideName, description: Description, now: number) {
    const { address, port, behindNat = false, rtcpPort = port + 1, payloads, direction } = description
    const side = sides[name]
    checkPayloads(payloads)
    if (side.latch.expect({ address, port, behindNat })) {
      side.rtcpSource = undefined
      side.heard = false
    }
    side.rtcpPort = rtcpPort
    side.payloads = payloads
    side.described = true
    extension.routes = routesBetween(extension.payloads, other.payloads)
    other.routes = routesBetween(other.payloads, extension.payloads)
    setDirection(name, direction ?? 'sendrecv', now)
  }

  function setDirection(name: SideName, direction: Direction, now: number) {
    sides[name].direction = direction
    sides[name].heardAt = now
    forgiveSilence(sides[name])
  }

  function forgiveSilence(side: Side) {
    if (side.toldSilent) tell({ type: 'heard', side: side.name })
    side.toldSilent = false
  }

  function takeRtp(name: SideName, packet: Buffer, port: number, address: string, now: number) {
    const side = sides[name]
    if (packet.length > longestPacket || !readRtp(packet, header)) return drop(side, 'malformed')
    const route = side.routes[header.payload]
    if (!route) return drop(side, 'payload')
    const verdict = side.latch.admit(header, address, port)
    if (verdict !== 'taken') return drop(side, verdict)
    if (!sends(side.direction)) return drop(side, 'held')
    hear(side, packet, now)
    if (route.codec === 'telephone-event') {
      const digit = readDigit(side, packet, header)
      if (digit) tell({ type: 'dtmf', side: side.name, digit })
    }
    if (recorder && route.decode) recorder.take(side === extension ? 0 : 1, packet, header, route.decode, now)

    const peer = peerOf(side)
    if (!hears(peer.direction)) return drop(side, 'held')
    if (route.number === undefined) return drop(side, 'undeliverable')
    if (peer.tone?.untilMedia) peer.tone = undefined
    if (peer.tone) return drop(side, 'replaced')
    if (route.convert) convert(packet, header, route.convert)
    const joins = peer.outgoing.relay(packet, header, now)
    writeRtp(packet, { marker: header.marker || joins, payload: route.number })
    if (!sendRtp(peer, packet)) drop(side, 'undeliverable')
  }

  /**
   * RTCP has no stream to be known by. It must come from where the side's RTP does, and then stay there; and whose
   * RTP comes from the very port SDP told has no NAT before it, so that his RTCP does likewise.
   */
  function takeRtcp(name: SideName, packet: Buffer, port: number, address: string) {
    const side = sides[name]
    if (!isRtcp(packet)) return drop(side, 'malformed')
    const home = side.latch.target()
    if (home?.address !== address) return drop(side, 'foreign')
    const told = port === side.rtcpPort
    if (!told && side.latch.exact()) return drop(side, 'foreign')
    if (told || side.rtcpSource?.address !== home.address) side.rtcpSource = { address, port }
    if (side.rtcpSource.port !== port) return drop(side, 'foreign')
    const peer = peerOf(side)
    // The stream the peer hears is the tone's, of which this side knows nothing.
    if (peer.outgoing.playing()) return drop(side, 'replaced')
    const target = peer.latch.target()
    if (!target) return drop(side, 'undeliverable')
    renumberRtcp(packet, peer.outgoing.renumbering(), side.outgoing.renumbering())
    const learned = peer.rtcpSource?.address === target.address ? peer.rtcpSource.port : peer.rtcpPort
    if (!isSendable(target.address, learned)) return drop(side, 'undeliverable')
    send(peer.name, 'rtcp', packet, learned, target.address)
  }

  function hear(side: Side, packet: Buffer, now: number) {
    side.heardAt = now
    forgiveSilence(side)
    if (!side.heard) tell({ type: 'media', side: side.name })
    side.heard = true
    countReceived(side, packet, header)
  }

  function sendRtp(side: Side, packet: Buffer): boolean {
    const target = side.latch.target()
    if (!target || !isSendable(target.address, target.port)) return false
    side.statistics.sent.packets += 1
    side.statistics.sent.bytes += packet.length
    send(side.name, 'rtp', packet, target.port, target.address)
    return true
  }

  function playTone(name: SideName, wish: ToneWish, now: number) {
    const side = sides[name]
    side.tone = createTonePlayer(wish, side.outgoing, now)
  }

  function stopTone(name: SideName) {
    sides[name].tone = undefined
  }

  /** Plays what is due; to be called every 20 ms while a tone is on. */
  function tick(now: number) {
    for (const side of [extension, other]) {
      const send = (packet: Buffer) => hears(side.direction) && sendRtp(side, packet)
      if (side.tone && !side.tone.tick(now, lawOf(side.payloads), send)) side.tone = undefined
    }
  }

  function checkSilence(now: number) {
    for (const side of [extension, other]) {
      if (!side.described || side.toldSilent || !sends(side.direction)) continue
      if (now - side.heardAt < silentAfter) continue
      side.toldSilent = true
      tell({ type: 'silent', side: side.name })
    }
  }

  return {
    expect,
    setDirection,
    takeRtp,
    takeRtcp,
    playTone,
    stopTone,
    tick,
    checkSilence,
    playing: () => extension.tone !== undefined || other.tone !== undefined,
    record(into: Recorder | undefined) {
      recorder = into
    },
    statistics: () => ({ extension: extension.statistics, other: other.statistics }),
  }
}
export type Relay = ReturnType<typeof createRelay>

function convert(packet: Buffer, { from, to }: RtpHeader, table: Uint8Array) {
  for (let at = from; at < to; at += 1) packet[at] = table[packet[at] ?? 0] ?? 0
}
