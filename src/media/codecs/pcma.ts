/** G.711 A-law, the law of Brazil and Europe. Its even bits are inverted on the wire. */
import { createG711Codec } from './g711.ts'

export const pcma = createG711Codec({
  name: 'PCMA',
  payloadType: 8,
  decodeOctet(octet) {
    const bits = octet ^ 0x55
    const exponent = (bits >> 4) & 7
    const step = ((bits & 15) << 4) + 8
    const size = exponent === 0 ? step : (step + 256) << (exponent - 1)
    return bits & 0x80 ? size : -size
  },
  encodeSample(sample) {
    const sign = sample < 0 ? 0 : 0x80
    let mantissa = (sample < 0 ? ~sample : sample) >> 4
    let exponent = 0
    if (mantissa > 15) {
      for (exponent = 1; mantissa > 31; exponent += 1) mantissa >>= 1
      mantissa -= 16
    }
    return (sign | (exponent << 4) | mantissa) ^ 0x55
  },
})
