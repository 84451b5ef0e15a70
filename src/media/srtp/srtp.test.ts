import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPacketCipher } from './packet-cipher.ts'
import { deriveSessionKeys } from './session-keys.ts'
import { createSrtpReceiver, createSrtpSender } from './srtp.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

/** The keys of RFC 3711, B.3. */
const master = {
  key: hex('E1F97A0D3E018BE0D64FA32C06DE4139'),
  salt: hex('0EC675AD498AFEEBB6960B3AABE6'),
}

function rtpPacket(sequence: number, payload: string | Buffer, ssrc = 0xdecafbad): Buffer {
  const packet = Buffer.concat([Buffer.alloc(12), Buffer.from(payload)])
  packet.set([0x80, 8])
  packet.writeUInt16BE(sequence & 0xffff, 2)
  packet.writeUInt32BE(sequence * 160, 4)
  packet.writeUInt32BE(ssrc, 8)
  return packet
}

/** An empty receiver report. */
const rtcpPacket = () => hex('80c90001cafebabe 81ca0002cafebabe0102783a')

test('the session keys are those of RFC 3711, B.3', () => {
  const keys = deriveSessionKeys(master, 'rtp')
  expect(keys.encryption).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'))
  expect(keys.salt).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'))
  expect(keys.authentication).toEqual(hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'))
})

test('the key stream is that of RFC 3711, B.2', () => {
  const cipher = createPacketCipher({
    encryption: hex('2B7E151628AED2A6ABF7158809CF4F3C'),
    salt: hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
    authentication: Buffer.alloc(20),
  })
  const stream = Buffer.alloc(48)
  cipher.crypt(stream, 0, 48, 0, 0)
  expect(stream).toEqual(
    hex('E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0'),
  )
})

test('a protected packet is the one of libsrtp', () => {
  const sender = createSrtpSender(master)
  const packet = hex('800f1234decafbadcafebabe abababababababababababababababab')
  expect(sender.protectRtp(packet)).toEqual(
    hex('800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb'),
  )
})

test('packets arrive as they were sent, through a new beginning of the sequence numbers and out of order', () => {
  const sender = createSrtpSender(master)
  const receiver = createSrtpReceiver(master)
  const order = [65_533, 65_535, 65_534, 65_537, 65_536, 65_538]
  const sent = order.map((number) =>
    Buffer.from(sender.protectRtp(rtpPacket(number, `sound ${number}`)) ?? []),
  )
  for (const [at, number] of order.entries()) {
    const got = receiver.unprotectRtp(sent[at] ?? Buffer.alloc(0))
    expect(got).toEqual(rtpPacket(number, `sound ${number}`))
  }
})

test('a replayed, a changed and a foreign packet are refused, and do not harm those that follow', () => {
  const sender = createSrtpSender(master)
  const receiver = createSrtpReceiver(master)
  const first = sender.protectRtp(rtpPacket(1, 'first')) ?? Buffer.alloc(0)
  expect(receiver.unprotectRtp(Buffer.from(first))).toEqual(rtpPacket(1, 'first'))
  expect(receiver.unprotectRtp(Buffer.from(first))).toBeUndefined()
  for (let at = 0; at < first.length; at += 1) {
    const changed = Buffer.from(first)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(receiver.unprotectRtp(changed)).toBeUndefined()
  }
  const stranger = createSrtpSender({ key: Buffer.alloc(16, 7), salt: master.salt })
  expect(receiver.unprotectRtp(stranger.protectRtp(rtpPacket(2, 'x')) ?? Buffer.alloc(0))).toBeUndefined()
  const second = sender.protectRtp(rtpPacket(2, 'second')) ?? Buffer.alloc(0)
  expect(receiver.unprotectRtp(second)).toEqual(rtpPacket(2, 'second'))
})

test('packets of any length and order arrive as they were sent, with the key stream made in advance', () => {
  const keys = deriveSessionKeys(master, 'rtp')
  const number = fc.integer({ min: 0, max: 60 })
  const packet = fc.tuple(number, fc.uint8Array({ minLength: 1, maxLength: 1400 }), fc.constantFrom(1, 2))
  fc.assert(
    fc.property(
      fc.uniqueArray(packet, { selector: ([sequence, , ssrc]) => `${sequence} ${ssrc}` }),
      (packets) => {
        const sender = createSrtpSender(master)
        const receiver = createSrtpReceiver(master)
        for (const [sequence, payload, ssrc] of packets) {
          const clear = rtpPacket(sequence, Buffer.from(payload), ssrc)
          const sent = sender.protectRtp(clear) ?? Buffer.alloc(0)
          const start = Buffer.alloc(16)
          keys.salt.copy(start)
          start.writeUInt32BE((start.readUInt32BE(4) ^ ssrc) >>> 0, 4)
          start.writeUInt16BE(start.readUInt16BE(12) ^ sequence, 12)
          const cipher = createCipheriv('aes-128-ctr', keys.encryption, start)
          expect(sent.subarray(12, -10)).toEqual(cipher.update(payload))
          expect(receiver.unprotectRtp(sent)).toEqual(clear)
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('the same number is never sent twice: its key stream would be known', () => {
  const sender = createSrtpSender(master)
  expect(sender.protectRtp(rtpPacket(5, 'one'))).toBeDefined()
  expect(sender.protectRtp(rtpPacket(5, 'two'))).toBeUndefined()
})

test('reports arrive as they were sent; replayed and changed ones are refused', () => {
  const sender = createSrtpSender(master)
  const receiver = createSrtpReceiver(master)
  const sent = sender.protectRtcp(rtcpPacket()) ?? Buffer.alloc(0)
  expect(sent.subarray(8, 20)).not.toEqual(rtcpPacket().subarray(8))
  const changed = Buffer.from(sent)
  changed.writeUInt8(0, 9)
  expect(receiver.unprotectRtcp(changed)).toBeUndefined()
  expect(receiver.unprotectRtcp(Buffer.from(sent))).toEqual(rtcpPacket())
  expect(receiver.unprotectRtcp(Buffer.from(sent))).toBeUndefined()
})

test('packets too short for a tag, or with a header longer than themselves, are refused', () => {
  const receiver = createSrtpReceiver(master)
  for (let length = 0; length < 60; length += 1) {
    const packet = Buffer.alloc(length, 0xff)
    expect(receiver.unprotectRtp(Buffer.from(packet))).toBeUndefined()
    expect(receiver.unprotectRtcp(packet)).toBeUndefined()
  }
})

test('an authentic packet that is longer than any sound is refused, not decrypted', () => {
  const keys = deriveSessionKeys(master, 'rtp')
  const packet = rtpPacket(1, Buffer.alloc(3000))
  const tag = Buffer.alloc(10)
  createPacketCipher(keys).writeTag(packet, packet.length, 0, tag)
  const receiver = createSrtpReceiver(master)
  expect(receiver.unprotectRtp(Buffer.concat([packet, tag]))).toBeUndefined()
  expect(receiver.unprotectRtcp(Buffer.alloc(3000, 0x80))).toBeUndefined()
})
