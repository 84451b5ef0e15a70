import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { powerShare } from '../sound/spectrum.ts'
import { renderSamples } from '../sound/tone.ts'
import { g722 } from './g722.ts'

const digest = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex').slice(0, 16)

/** A second of noise, in parts of very different loudness. */
function noise(): Int16Array {
  let seed = 1
  return Int16Array.from({ length: 8000 }, (_, at) => {
    seed = (seed * 16_807) % 2_147_483_647
    return ((seed >> 15) - 32_768) >> (Math.floor(at / 500) % 12)
  })
}

test('encodes and decodes the lower band bit by bit as spandsp does', () => {
  const samples = noise()
  const octets = new Uint8Array(samples.length)
  g722.audio.createEncoder()(samples, samples.length, octets, 0)
  expect(digest(octets)).toBe('b845d5927b042abb')
  const decoded = new Int16Array(octets.length)
  g722.audio.createDecoder()(octets, 0, octets.length, decoded)
  expect(digest(new Uint8Array(decoded.buffer))).toBe('8eabe73c58416fe9')
})

test('a tone stays a tone of the same loudness', () => {
  const samples = renderSamples({ hertz: [1000], cadence: [] })
  const octets = new Uint8Array(samples.length)
  g722.audio.createEncoder()(samples, samples.length, octets, 0)
  const decoded = new Int16Array(octets.length)
  g722.audio.createDecoder()(octets, 0, octets.length, decoded)
  expect(powerShare(decoded, 1000)).toBeGreaterThan(0.99)
  expect(Math.abs(Math.max(...decoded) - Math.max(...samples))).toBeLessThan(500)
})
