/** D284: jitter and round trip of a side. */
import { expect, test } from 'vitest'
import { rtpPacket } from '../testing/sound.ts'
import { createRelay } from './relay.ts'

const alaw = { number: 8, codec: 'PCMA' } as const
const place = { address: '192.0.2.1', port: 4000 }

function joined() {
  const relay = createRelay({ silentAfterMs: 30_000, onEvent() {}, send() {} })
  relay.expect('extension', { ...place, payloads: [alaw] }, 0)
  relay.expect('other', { ...place, payloads: [alaw] }, 0)
  const say = (sequence: number, now: number) =>
    relay.receiveRtp('extension', rtpPacket({ sequence }), place.port, place.address, now)
  const report = (side: 'extension' | 'other', packet: Buffer, now: number) =>
    relay.receiveRtcp(side, packet, place.port + 1, place.address, now)
  return { relay, say, report }
}

/** A sender report of the NTP time `seconds`. */
function senderReport(seconds: number): Buffer {
  const packet = Buffer.alloc(28)
  packet.set([0x80, 200, 0, 6])
  packet.writeUInt32BE(1, 4)
  packet.writeUInt32BE(seconds, 8)
  return packet
}

/** About the sender report of `seconds`, which came `delayMs` ago. */
function receiverReport(seconds: number, delayMs: number): Buffer {
  const packet = Buffer.alloc(32)
  packet.set([0x81, 201, 0, 7])
  packet.writeUInt32BE(2, 4)
  packet.writeUInt32BE((seconds << 16) >>> 0, 24)
  packet.writeUInt32BE(Math.round(delayMs * 65.536), 28)
  return packet
}

test('packets at an even pace have no jitter, others have that of RFC 3550, and lost ones are counted', () => {
  const even = joined()
  for (let sequence = 1; sequence <= 200; sequence += 1) even.say(sequence, sequence * 20)
  expect(even.relay.statistics().extension).toMatchObject({ jitterMs: 0, lost: 0, roundTripMs: undefined })
  const uneven = joined()
  for (let sequence = 1; sequence <= 400; sequence += 1)
    if (sequence % 100 !== 50) uneven.say(sequence, sequence * 20 + (sequence % 2) * 8)
  const { jitterMs, lost } = uneven.relay.statistics().extension
  expect(lost).toBe(4)
  expect(jitterMs).toBeGreaterThan(7)
  expect(jitterMs).toBeLessThan(9)
})

test('packets that come twice make up for none that were lost', () => {
  const doubled = joined()
  for (let sequence = 1; sequence <= 400; sequence += 1) {
    const arrivesAt = sequence * 20
    if (sequence % 20 === 7) continue
    doubled.say(sequence, arrivesAt)
    if (sequence % 20 === 14) doubled.say(sequence, arrivesAt)
    // A copy that other packets have overtaken.
    if (sequence % 20 === 18) doubled.say(sequence - 2, arrivesAt)
  }
  const { lost, late, received } = doubled.relay.statistics().extension
  expect([lost, late, received.packets]).toEqual([20, 0, 380])
})

test('a late packet is no lost one, also where sequence numbers start again from 0', () => {
  const late = joined()
  for (const sequence of [65_533, 65_534, 0, 65_535, 1, 3, 2, 2]) late.say(sequence, 20)
  expect(late.relay.statistics().extension).toMatchObject({ lost: 0, late: 2, received: { packets: 7 } })
})

test('a phone whose sequence numbers jump back is counted on', () => {
  const jumping = joined()
  for (const sequence of [9_000, 9_001, 100, 101, 101, 103]) jumping.say(sequence, 20)
  expect(jumping.relay.statistics().extension).toMatchObject({ lost: 1, late: 0, received: { packets: 5 } })
})

test('the round trip of a side is from the report that went to it to its report about that', () => {
  const { relay, report } = joined()
  report('extension', senderReport(7), 1000)
  report('other', receiverReport(7, 500), 1540)
  expect(relay.statistics().other.roundTripMs).toBeCloseTo(40, 0)
  expect(relay.statistics().extension.roundTripMs).toBeUndefined()
  report('other', receiverReport(9, 500), 9000)
  expect(relay.statistics().other.roundTripMs).toBeCloseTo(40, 0)
})
