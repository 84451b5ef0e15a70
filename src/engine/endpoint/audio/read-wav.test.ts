import { expect, test } from 'vitest'
import { dominantTone } from '../../../media/sound/spectrum.ts'
import { wavHeader } from '../../../media/sound/wav.ts'
import { encode } from '../../../media/testing/sound.ts'
import { readWav, SoundFileRefusal } from './read-wav.ts'

type Kind = { code?: number; channels?: number; rate?: number; bits?: number }

function wav(data: Buffer, { code = 1, channels = 1, rate = 8000, bits = 16 }: Kind = {}): Buffer {
  const header = wavHeader(0, 1)
  header.writeUInt16LE(code, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt16LE(bits, 34)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

const sine = (hertz: number, rate: number) =>
  Int16Array.from({ length: rate }, (_, at) => Math.round(9000 * Math.sin((2 * Math.PI * hertz * at) / rate)))

test.each([8000, 16_000, 44_100, 48_000, 6000])('a tone at %d samples a second keeps its pitch', (rate) => {
  const samples = readWav(wav(Buffer.from(sine(440, rate).buffer), { rate }))
  expect(samples.length).toBeGreaterThan(7990)
  expect(dominantTone(samples)?.hertz).toBe(440)
})

test('of several channels the first is read', () => {
  const both = Int16Array.from({ length: 16_000 }, (_, at) => (at % 2 === 0 ? at : -1))
  expect(readWav(wav(Buffer.from(both.buffer), { channels: 2 })).subarray(0, 4)).toEqual(
    Int16Array.of(0, 2, 4, 6),
  )
})

test.each([
  ['PCMA', 6],
  ['PCMU', 7],
] as const)('%s is read too', (law, code) => {
  const octets = Buffer.from(encode(sine(1000, 8000), law))
  expect(dominantTone(readWav(wav(octets, { code, bits: 8 })))?.hertz).toBe(1000)
})

test('unknown chunks are skipped', () => {
  const plain = wav(Buffer.from(sine(440, 8000).buffer))
  const extra = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')])
  const file = Buffer.concat([plain.subarray(0, 36), extra, plain.subarray(36)])
  expect(readWav(file)).toHaveLength(8000)
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('this is some text, and not short')],
  ['no data', wavHeader(0, 1).subarray(0, 36)],
  ['24 bit', wav(Buffer.alloc(300), { bits: 24 })],
  ['no channels', wav(Buffer.alloc(300), { channels: 0 })],
  ['MP3 inside', wav(Buffer.alloc(300), { code: 85 })],
])('%s is refused', (_, file) => {
  expect(() => readWav(file)).toThrow(SoundFileRefusal)
})

test('a header that says more than the file has gives what the file has', () => {
  const file = wav(Buffer.from(sine(440, 8000).buffer)).subarray(0, 44 + 1601)
  expect(readWav(file)).toHaveLength(800)
})
