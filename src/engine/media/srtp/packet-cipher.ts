/**
 * Encrypts and authenticates packets (RFC 3711, 4.1.1 and 4.2.1). Two things make it about three times cheaper than a
 * cipher and an HMAC per packet: one cipher is kept, which encrypts the counter blocks of each packet, and the SHA-1
 * states after the padded key are copied.
 */
import { createCipheriv, createHash, type Hash } from 'node:crypto'
import { maxPacketLength } from '../rtp/rtp.ts'
import type { SessionKeys } from './session-keys.ts'

/** The length of the authentication tag of AES_CM_128_HMAC_SHA1_80. */
export const tagLength = 10

const blockLength = 16
const hashBlockLength = 64

export function createPacketCipher({ encryption, authentication, salt }: SessionKeys) {
  const cipher = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false)
  const inner = keyedHash(authentication, 0x36)
  const outer = keyedHash(authentication, 0x5c)
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
    /** The tag of a packet; for RTP its rollover counter is authenticated too. */
    tag(packet: Buffer, rollover?: Buffer): Buffer {
      const hash = inner.copy().update(packet)
      if (rollover) hash.update(rollover)
      return outer.copy().update(hash.digest()).digest().subarray(0, tagLength)
    },
  }
}

function keyedHash(key: Buffer, pad: number): Hash {
  const block = Buffer.alloc(hashBlockLength, pad)
  for (const [at, octet] of key.entries()) block[at] = octet ^ pad
  return createHash('sha1').update(block)
}
