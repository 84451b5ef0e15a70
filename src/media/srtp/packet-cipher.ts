/**
 * Encrypts and authenticates packets (RFC 3711, 4.1.1 and 4.2.1). The key stream depends on the number of a packet and not on
 * its content, so that it is made for several packets in advance: a call of node:crypto costs far more than the
 * blocks of one packet.
 */
import { createCipheriv } from 'node:crypto'
import { createPacketMac } from './packet-mac.ts'
import type { SessionKeys } from './session-keys.ts'

/** The length of the authentication tag of AES_CM_128_HMAC_SHA1_80. */
export const tagLength = 10

const blockLength = 16
/** Enough for 16 packets of G.711, and more than the longest packet has. */
const maxBlocks = 176

/** Shared by all ciphers of the thread: used only within one function call. */
const counters = Buffer.alloc(maxBlocks * blockLength)

/** `ahead`: whether the packets that follow have the next numbers. */
export function createPacketCipher({ encryption, authentication, salt }: SessionKeys, ahead = false) {
  const cipher = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false)
  /** The key stream of `count` packets from `first` on, each of `blocks` blocks. */
  let stream = Buffer.alloc(0)
  let streamSsrc = -1
  let first = 0
  let count = 0
  let blocks = 0

  function makeStream(ssrc: number, index: number, wantedBlocks: number) {
    streamSsrc = ssrc
    first = index
    // The longest packet so far: lengths change within a stream.
    blocks = Math.max(blocks, wantedBlocks, 1)
    count = ahead ? Math.max(1, Math.floor(maxBlocks / blocks)) : 1
    for (let packet = 0; packet < count; packet += 1) writeCounters(packet * blocks, ssrc, index + packet)
    stream = cipher.update(counters.subarray(0, count * blocks * blockLength))
  }

  /** The counter blocks of packet `index` (a number of 48 bits). */
  function writeCounters(firstBlock: number, ssrc: number, index: number) {
    const start = firstBlock * blockLength
    salt.copy(counters, start)
    counters.writeUInt32BE((counters.readUInt32BE(start + 4) ^ ssrc) >>> 0, start + 4)
    const high = Math.floor(index / 0x1_0000)
    counters.writeUInt32BE((counters.readUInt32BE(start + 8) ^ high) >>> 0, start + 8)
    counters.writeUInt16BE(counters.readUInt16BE(start + 12) ^ (index % 0x1_0000), start + 12)
    counters.writeUInt16BE(0, start + 14)
    for (let block = 1; block < blocks; block += 1) {
      const at = start + block * blockLength
      counters.copyWithin(at, start, start + 14)
      counters.writeUInt16BE(block, at + 14)
    }
  }

  return {
    /** Encrypts or decrypts the octets from `start` to `end` in place. */
    crypt(packet: Buffer, start: number, end: number, ssrc: number, index: number): void {
      const wanted = Math.ceil((end - start) / blockLength)
      const isMade = ssrc === streamSsrc && index >= first && index < first + count && wanted <= blocks
      if (!isMade) makeStream(ssrc, index, wanted)
      let from = (index - first) * blocks * blockLength
      for (let at = start; at < end; at += 1) {
        packet[at] = (packet[at] ?? 0) ^ (stream[from] ?? 0)
        from += 1
      }
    },
    /** The suffix of RTP is its rollover counter, which is authenticated too. */
    writeTag: createPacketMac(authentication),
  }
}
