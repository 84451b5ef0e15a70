/** G.711 by tables: every conversion of a sample is one look-up. */
export type Law = 'PCMA' | 'PCMU'

/** From an octet to 16 bit linear, by law. */
export const decoding: Record<Law, Int16Array> = {
  PCMA: Int16Array.from({ length: 256 }, (_, octet) => decodeA(octet)),
  PCMU: Int16Array.from({ length: 256 }, (_, octet) => decodeMu(octet)),
}

/** From a 16 bit sample, taken as unsigned (`sample & 0xffff`), to an octet. */
export const encoding: Record<Law, Uint8Array> = {
  PCMA: Uint8Array.from({ length: 65_536 }, (_, word) => encodeA((word << 16) >> 16)),
  PCMU: Uint8Array.from({ length: 65_536 }, (_, word) => encodeMu((word << 16) >> 16)),
}

/** From an octet of the law named to an octet of the other one. */
export const conversion: Record<Law, Uint8Array> = {
  PCMA: Uint8Array.from(decoding.PCMA, (sample) => encoding.PCMU[sample & 0xffff] ?? 0),
  PCMU: Uint8Array.from(decoding.PCMU, (sample) => encoding.PCMA[sample & 0xffff] ?? 0),
}

export function encode(law: Law, samples: Int16Array): Uint8Array {
  const table = encoding[law]
  return Uint8Array.from(samples, (sample) => table[sample & 0xffff] ?? 0)
}

// Even bits of A-law are inverted on the wire, all bits of µ-law.
function decodeA(octet: number): number {
  const bits = octet ^ 0x55
  const exponent = (bits >> 4) & 7
  const step = ((bits & 15) << 4) + 8
  const size = exponent === 0 ? step : (step + 256) << (exponent - 1)
  return bits & 0x80 ? size : -size
}

function decodeMu(octet: number): number {
  const bits = ~octet & 0xff
  const size = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132
  return bits & 0x80 ? -size : size
}

function encodeA(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80
  let mantissa = (sample < 0 ? ~sample : sample) >> 4
  let exponent = 0
  if (mantissa > 15) {
    for (exponent = 1; mantissa > 31; exponent += 1) mantissa >>= 1
    mantissa -= 16
  }
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}

function encodeMu(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const size = Math.min(Math.abs(sample), 32_635) + 132
  const exponent = 24 - Math.clz32(size)
  return ~(sign | (exponent << 4) | ((size >> (exponent + 3)) & 15)) & 0xff
}
