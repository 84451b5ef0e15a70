/** Ogg files of Opus, taken apart again. */
import { expect, test } from 'vitest'
import { loadOpus } from '../codecs/opus.ts'
import { createOggOpusEncoder } from './ogg-opus.ts'

type Page = { type: number; ticks: number; sequence: number; packets: Buffer[] }

function readPages(file: Buffer): Page[] {
  const pages: Page[] = []
  for (let at = 0; at < file.length; ) {
    expect(file.toString('latin1', at, at + 4)).toBe('OggS')
    const count = file.readUInt8(at + 26)
    const lengths = [...file.subarray(at + 27, at + 27 + count)]
    const packets: Buffer[] = []
    let start = at + 27 + count
    let length = 0
    for (const segment of lengths) {
      length += segment
      if (segment === 255) continue
      packets.push(file.subarray(start, start + length))
      start += length
      length = 0
    }
    const ticks = Number(file.readBigUInt64LE(at + 6))
    pages.push({ type: file.readUInt8(at + 5), ticks, sequence: file.readUInt32LE(at + 18), packets })
    at = start
  }
  return pages
}

const tone = (frames: number) =>
  Int16Array.from({ length: 2 * frames }, (_, index) =>
    index % 2 === 0 ? Math.round(8000 * Math.sin((index / 2 / 8000) * 2 * Math.PI * 440)) : 0,
  )

test.each([0, 1, 159, 160, 8000, 8001, 24_000])(
  'a sound of %i samples ends where it ends, to the sample, however it is cut into parts',
  (frames) => {
    const samples = tone(frames)
    const files = [1_000_000, 321].map((step) => {
      const encoder = createOggOpusEncoder(2)
      const parts: Buffer[] = []
      for (let at = 0; at < samples.length; at += 2 * step)
        parts.push(encoder.write(samples.slice(at, at + 2 * step)))
      return Buffer.concat([...parts, encoder.end()])
    })
    const [file = Buffer.alloc(0), inParts] = files
    expect(inParts).toEqual(file)
    const pages = readPages(file)
    const [head, tags, ...sound] = pages
    expect(head?.packets[0]?.toString('latin1', 0, 8)).toBe('OpusHead')
    expect(tags?.packets[0]?.toString('latin1', 0, 8)).toBe('OpusTags')
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index))
    expect(pages.map(({ type }) => type)).toEqual([2, ...pages.slice(1, -1).map(() => 0), 4])
    const preSkip = head?.packets[0]?.readUInt16LE(10) ?? 0
    expect(sound.at(-1)?.ticks).toBe(preSkip + 6 * frames)
    const packets = sound.flatMap((page) => page.packets)
    expect(packets.length * 960).toBeGreaterThanOrEqual(preSkip + 6 * frames)
    // Every other page ends with its last packet.
    let ticks = 0
    for (const page of sound.slice(0, -1)) {
      ticks += 960 * page.packets.length
      expect(page.ticks).toBe(ticks)
    }
  },
)

test('the first party is heard on the first channel, the silent one is not', () => {
  const encoder = createOggOpusEncoder(2)
  const file = Buffer.concat([encoder.write(tone(16_000)), encoder.end()])
  const decoder = new (loadOpus().Decoder)({ channels: 2, sample_rate: 8000 })
  const packets = readPages(file)
    .slice(2)
    .flatMap((page) => page.packets)
  let [left, right] = [0, 0]
  for (const packet of packets.slice(10, 90)) {
    const octets = decoder.decode(packet).slice()
    const samples = new Int16Array(octets.buffer)
    for (const [index, level] of samples.entries())
      if (index % 2 === 0) left += level ** 2
      else right += level ** 2
  }
  decoder.drop()
  expect(left).toBeGreaterThan(100 * right)
  expect(Math.sqrt(left / (80 * 160))).toBeGreaterThan(4000)
})
