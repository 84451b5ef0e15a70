import { expect, test } from 'vitest'
import { powerShare } from '../sound/spectrum.ts'
import { renderSamples } from '../sound/tone.ts'
import { maxSamplesPerPacket } from './codec.ts'
import { joinFrames, opus } from './opus.ts'

const tone = renderSamples({ hertz: [440], cadence: [] })

/** A second of the tone in packets of that many samples, encoded and decoded. */
function throughOpus(samplesPerPacket: number): Int16Array {
  const encode = opus.audio.createEncoder()
  const decode = opus.audio.createDecoder()
  const decoded: number[] = []
  const samples = new Int16Array(maxSamplesPerPacket)
  const packet = new Uint8Array(1500)
  for (let at = 0; at + samplesPerPacket <= tone.length; at += samplesPerPacket) {
    const length = encode(tone.subarray(at), samplesPerPacket, packet, 12)
    const count = decode(packet, 12, 12 + length, samples)
    decoded.push(...samples.subarray(0, count))
  }
  return Int16Array.from(decoded)
}

test.each([80, 160, 240, 320, 480, 800])(
  'packets of %i samples keep their length and their tone',
  (count) => {
    const decoded = throughOpus(count)
    expect(decoded.length).toBe(Math.floor(tone.length / count) * count)
    expect(powerShare(decoded.subarray(2000, 6000), 440)).toBeGreaterThan(0.98)
  },
)

test('what is no Opus has no sound, and leaves the decoder usable', () => {
  const decode = opus.audio.createDecoder()
  const samples = new Int16Array(maxSamplesPerPacket)
  expect(decode(Uint8Array.of(), 0, 0, samples)).toBe(0)
  expect(decode(Uint8Array.of(3, 0xff, 1, 2, 3), 0, 5, samples)).toBe(0)
  const packet = new Uint8Array(1500)
  const length = opus.audio.createEncoder()(tone, 160, packet, 0)
  expect(decode(packet, 0, length, samples)).toBe(160)
})

test('a length of G.711 that Opus cannot have is left out', () => {
  expect(opus.audio.createEncoder()(tone, 161, new Uint8Array(1500), 0)).toBe(0)
})

test('frames are joined with their lengths, of one or two octets', () => {
  const frame = (length: number, octet: number) => Uint8Array.of(8, ...new Uint8Array(length).fill(octet))
  expect([...joinFrames([frame(2, 1), frame(1, 2)])]).toEqual([11, 0x82, 2, 1, 1, 2])
  expect([...joinFrames([frame(300, 1), frame(1, 2)])].slice(0, 4)).toEqual([11, 0x82, 252, 12])
  expect([...joinFrames([frame(2, 1)])]).toEqual([8, 1, 1])
})
