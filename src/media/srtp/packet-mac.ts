/**
 * HMAC-SHA1 (RFC 2104, RFC 3174) of packets. In TypeScript, because a packet is short: three calls into node:crypto, with
 * the objects they make, take about three times as long as the hash itself.
 */
const blockLength = 64
/** Length of the SHA-1 state, in words of 32 bits. */
const stateLength = 5
const digestLength = 4 * stateLength
const initialState = Int32Array.of(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0)
/** The octet 0x80 and the length in bits, which follow the data. */
const paddingLength = 9

/** Shared by all packets of the thread: used only within one function call. */
const words = new Int32Array(80)
const state = new Int32Array(stateLength)
const lastBlocks = Buffer.alloc(2 * blockLength)

/**
 * `mac(packet, end, suffix, to, at)` writes the first octets of the HMAC of `packet[0, end)` and of the 32-bit number `suffix`,
 * if there is one, into `to`, from `at` to its end.
 */
export function createPacketMac(key: Uint8Array) {
  const inner = stateAfterKey(key, 0x36)
  const outer = stateAfterKey(key, 0x5c)
  return function mac(packet: Buffer, end: number, suffix: number | undefined, to: Buffer, at = 0) {
    state.set(inner)
    let whole = 0
    for (; whole + blockLength <= end; whole += blockLength) addBlock(packet, whole)
    packet.copy(lastBlocks, 0, whole, end)
    let length = end - whole
    if (suffix !== undefined) length = lastBlocks.writeUInt32BE(suffix, length)
    addLastBlocks(length, end + (suffix === undefined ? 0 : 4))
    writeState(lastBlocks, 0, digestLength)
    state.set(outer)
    addLastBlocks(digestLength, digestLength)
    writeState(to, at, to.length - at)
  }
}

/** Padded with zeros, each octet changed by `change`, as the first block of a hash. */
function stateAfterKey(key: Uint8Array, change: number): Int32Array {
  const block = new Uint8Array(blockLength)
  block.set(key)
  state.set(initialState)
  addBlock(
    block.map((octet) => octet ^ change),
    0,
  )
  return state.slice()
}

/** The last `length` octets of the data are in `lastBlocks`; `total` is how many follow the block of the key. */
function addLastBlocks(length: number, total: number) {
  const end = length + paddingLength <= blockLength ? blockLength : 2 * blockLength
  lastBlocks.fill(0, length, end)
  lastBlocks.writeUInt8(0x80, length)
  lastBlocks.writeUInt32BE(8 * (blockLength + total), end - 4)
  for (let at = 0; at < end; at += blockLength) addBlock(lastBlocks, at)
}

function writeState(to: Buffer, at: number, length: number) {
  for (let n = 0; n < length; n += 1) to[at + n] = (state[n >> 2] ?? 0) >>> (24 - 8 * (n & 3))
}

/** RFC 3174, 6.1. */
function addBlock(data: Uint8Array, start: number) {
  for (let t = 0, at = start; t < 16; t += 1, at += 4)
    words[t] =
      ((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16) | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0)
  for (let t = 16; t < 80; t += 1)
    words[t] = rotate(
      (words[t - 3] ?? 0) ^ (words[t - 8] ?? 0) ^ (words[t - 14] ?? 0) ^ (words[t - 16] ?? 0),
      1,
    )
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  // A loop for each function of the hash: one loop that chooses it at every step takes a third longer.
  for (let t = 0; t < 20; t += 1) {
    const next = (rotate(a, 5) + (((b & c) | (~b & d)) + 0x5a82_7999) + e + (words[t] ?? 0)) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = next
  }
  for (let t = 20; t < 40; t += 1) {
    const next = (rotate(a, 5) + ((b ^ c ^ d) + 0x6ed9_eba1) + e + (words[t] ?? 0)) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = next
  }
  for (let t = 40; t < 60; t += 1) {
    const next = (rotate(a, 5) + (((b & c) | (b & d) | (c & d)) + 0x8f1b_bcdc) + e + (words[t] ?? 0)) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = next
  }
  for (let t = 60; t < 80; t += 1) {
    const next = (rotate(a, 5) + ((b ^ c ^ d) + 0xca62_c1d6) + e + (words[t] ?? 0)) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = next
  }
  state[0] = (state[0] ?? 0) + a
  state[1] = (state[1] ?? 0) + b
  state[2] = (state[2] ?? 0) + c
  state[3] = (state[3] ?? 0) + d
  state[4] = (state[4] ?? 0) + e
}

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))
