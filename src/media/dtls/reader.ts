/** Reads the numbers and vectors of a message; a truncated message throws. */
export class TruncatedMessage extends Error {}

export function createReader(from: Buffer) {
  let at = 0

  function octets(length: number): Buffer {
    if (at + length > from.length) throw new TruncatedMessage('truncated')
    at += length
    return from.subarray(at - length, at)
  }

  const number = (length: 1 | 2 | 3) => octets(length).readUIntBE(0, length)

  return {
    octets,
    number,
    /** A vector behind its length. */
    vector: (lengthOctets: 1 | 2 | 3) => octets(number(lengthOctets)),
    isAtEnd: () => at === from.length,
  }
}

/** The numbers of two octets in a vector. */
export function readPairs(vector: Buffer): number[] {
  const pairs: number[] = []
  for (let at = 0; at + 2 <= vector.length; at += 2) pairs.push(vector.readUInt16BE(at))
  return pairs
}

/** A vector with its length before it. */
export function vector(lengthOctets: 1 | 2 | 3, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = Buffer.alloc(lengthOctets)
  length.writeUIntBE(content.length, 0, lengthOctets)
  return Buffer.concat([length, content])
}

export function pair(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}
