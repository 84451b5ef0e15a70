import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPacketMac } from './packet-mac.ts'

function hmac(key: Uint8Array, data: Uint8Array, suffix: number | undefined): Buffer {
  const hash = createHmac('sha1', key).update(data)
  if (suffix === undefined) return hash.digest()
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(suffix)
  return hash.update(octets).digest()
}

const key = fc.uint8Array({ minLength: 20, maxLength: 20 })
const suffix = fc.option(fc.integer({ min: 0, max: 0xffff_ffff }), { nil: undefined })

test('the tag is the beginning of the HMAC-SHA1 of node:crypto', () => {
  fc.assert(
    fc.property(key, fc.uint8Array({ maxLength: 1500 }), suffix, (key, data, suffix) => {
      const tag = Buffer.alloc(10)
      createPacketMac(key)(Buffer.from(data), data.length, suffix, tag)
      expect(tag).toEqual(hmac(key, data, suffix).subarray(0, 10))
    }),
  )
})

test('data of every length around the ends of blocks have the right one, and nothing after their end counts', () => {
  const key = Buffer.alloc(20, 7)
  const mac = createPacketMac(key)
  const packet = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 31) & 255))
  for (let end = 0; end <= packet.length; end += 1)
    for (const suffix of [undefined, 0x8000_0001]) {
      const tag = Buffer.alloc(20)
      mac(packet, end, suffix, tag)
      expect(tag).toEqual(hmac(key, packet.subarray(0, end), suffix))
    }
})
