/**
 * Encrypts and authenticates packets (RFC 3711, 4.1.1 and 4.2.1). One cipher is kept, which encrypts the counter blocks of
 * each packet: that is much cheaper than a cipher per packet.
 */
import { createCipheriv } from 'node:crypto'
import { maxPacketLength } from '../rtp/rtp.ts'
import { createPacketMac } from './packet-mac.ts'
import type { SessionKeys } from './session-keys.ts'

/** The length of the authentication tag of AES_CM_128_HMAC_SHA1_80. */
export const tagLength = 10

const blockLength = 16

export function createPacketCipher({ encryption, authentication, salt }: SessionKeys) {
  const cipher = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false)
  const counters = Buffer.alloc(Math.ceil(maxPacketLength / blockLength) * blockLength)

  /** The first `length` octets of the key stream of packet `index` (a number of 48 bits). */
  function keyStream(ssrc: number, index: number, length: number): Buffer {
    const blocks = Math.ceil(length / blockLength)
    salt.copy(counters)
    counters.writeUInt32BE((counters.readUInt32BE(4) ^ ssrc) >>> 0, 4)
    const high = Math.floor(index / 0x1_0000)
    counters.writeUInt32BE((counters.readUInt32BE(8) ^ high) >>> 0, 8)
    counters.writeUInt16BE(counters.readUInt16BE(12) ^ (index % 0x1_0000), 12)
    counters.writeUInt16BE(0, 14)
    for (let block = 1; block < blocks; block += 1) {
      counters.copyWithin(block * blockLength, 0, 14)
      counters.writeUInt16BE(block, block * blockLength + 14)
    }
    return cipher.update(counters.subarray(0, blocks * blockLength))
  }

  return {
    /** Encrypts or decrypts the octets from `start` to `end` in place. */
    crypt(packet: Buffer, start: number, end: number, ssrc: number, index: number): void {
      const stream = keyStream(ssrc, index, end - start)
      for (let at = start, n = 0; at < end; at += 1, n += 1) packet[at] = (packet[at] ?? 0) ^ (stream[n] ?? 0)
    },
    /** The suffix of RTP is its rollover counter, which is authenticated too. */
    writeTag: createPacketMac(authentication),
  }
}
