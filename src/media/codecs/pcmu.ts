/** G.711 µ-law, the law of North America and Japan. All its bits are inverted on the wire. */
import { createG711Codec } from './g711.ts'

export const pcmu = createG711Codec({
  name: 'PCMU',
  payloadType: 0,
  decodeOctet(octet) {
    const bits = ~octet & 0xff
    const size = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132
    return bits & 0x80 ? -size : size
  },
  encodeSample(sample) {
    const sign = sample < 0 ? 0x80 : 0
    const size = Math.min(Math.abs(sample), 32_635) + 132
    const exponent = 24 - Math.clz32(size)
    return ~(sign | (exponent << 4) | ((size >> (exponent + 3)) & 15)) & 0xff
  },
})
