import { expect, test } from 'vitest'
import { isRtcp, type Renumbering, renumberRtcp } from './rtcp.ts'

/** A sender report of `ssrc` with one block about `about`, then a BYE. */
function compound(ssrc: number, about: number): Buffer {
  const packet = Buffer.alloc(52 + 8)
  packet.set([0x81, 200, 0, 12])
  packet.writeUInt32BE(ssrc, 4)
  packet.writeUInt32BE(1000, 16)
  packet.writeUInt32BE(about, 28)
  packet.writeUInt32BE(0x0001_0064, 36)
  packet.set([0x81, 203, 0, 1], 52)
  packet.writeUInt32BE(ssrc, 56)
  return packet
}

const unchanged: Renumbering = {
  source: 0,
  ssrc: 0,
  sequenceShift: 0,
  sourceTimestamp: 0,
  sentTimestamp: 0,
  clockRatio: 1,
}

test('a compound packet is valid, a truncated one or another protocol is not', () => {
  const packet = compound(1, 2)
  expect(isRtcp(packet)).toBe(true)
  expect(isRtcp(packet.subarray(0, 57))).toBe(false)
  expect(isRtcp(packet.subarray(0, 4))).toBe(false)
  expect(isRtcp(Buffer.from('80c8ffff00000001', 'hex'))).toBe(false)
  expect(isRtcp(Buffer.from('OPTIONS sip:x SIP/2.0'))).toBe(false)
})

test('without renumbering a report is unchanged', () => {
  const packet = compound(1, 2)
  renumberRtcp(packet, undefined, undefined)
  expect(packet).toEqual(compound(1, 2))
})

test('a report has the numbers that its receiver knows', () => {
  const packet = compound(1, 22)
  const forward = { ...unchanged, source: 1, ssrc: 11, sequenceShift: 5, sentTimestamp: 160 }
  const back = { ...unchanged, source: 2, ssrc: 22, sequenceShift: 40 }
  renumberRtcp(packet, forward, back)
  expect(packet.readUInt32BE(4)).toBe(11)
  expect(packet.readUInt32BE(16)).toBe(1160)
  expect(packet.readUInt32BE(28)).toBe(2)
  expect(packet.readUInt16BE(38)).toBe(100 - 40)
  expect(packet.readUInt32BE(56)).toBe(11)
})

test('the timestamp of a report is scaled to the other RTP clock', () => {
  const packet = compound(1, 2)
  renumberRtcp(
    packet,
    { ...unchanged, source: 1, sourceTimestamp: 900, sentTimestamp: 50, clockRatio: 6 },
    undefined,
  )
  expect(packet.readUInt32BE(16)).toBe(50 + 6 * 100)
})

test('no hostile report is read beyond the packet', () => {
  const numbers = { ...unchanged, ssrc: 1, sequenceShift: 1, sentTimestamp: 1 }
  for (let type = 200; type < 208; type += 1)
    for (const words of [1, 2, 5, 6]) {
      const packet = Buffer.alloc(4 * (words + 1))
      packet.set([0x9f, type, 0, words])
      expect(isRtcp(packet)).toBe(true)
      expect(() => renumberRtcp(packet, numbers, numbers)).not.toThrow()
    }
})
