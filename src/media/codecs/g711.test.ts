import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pcma } from './pcma.ts'
import { pcmu } from './pcmu.ts'

const laws = { PCMA: pcma.audio.tables, PCMU: pcmu.audio.tables }

test('A-law decodes the known values', () => {
  const known = [
    [0x55, -8],
    [0xd5, 8],
    [0x2a, -32_256],
    [0xaa, 32_256],
    [0x80, 5504],
    [0x00, -5504],
  ] as const
  for (const [octet, sample] of known) expect(laws.PCMA.decode[octet]).toBe(sample)
})

test('µ-law decodes the known values', () => {
  const known = [
    [0xff, 0],
    [0x7f, 0],
    [0x00, -32_124],
    [0x80, 32_124],
    [0xef, 132],
    [0x6f, -132],
  ] as const
  for (const [octet, sample] of known) expect(laws.PCMU.decode[octet]).toBe(sample)
})

test('silence and the extremes encode to the known octets', () => {
  const samples = [0, -1, 32_767, -32_768]
  expect(samples.map((sample) => laws.PCMA.encode[sample & 0xffff])).toEqual([0xd5, 0x55, 0xaa, 0x2a])
  expect(samples.map((sample) => laws.PCMU.encode[sample & 0xffff])).toEqual([0xff, 0x7f, 0x80, 0x00])
})

test('every octet survives decoding and encoding, except the second zero of µ-law', () => {
  for (let octet = 0; octet < 256; octet += 1) {
    expect(laws.PCMA.encode[(laws.PCMA.decode[octet] ?? 0) & 0xffff]).toBe(octet)
    expect(laws.PCMU.encode[(laws.PCMU.decode[octet] ?? 0) & 0xffff]).toBe(octet === 0x7f ? 0xff : octet)
  }
})

test.each(['PCMA', 'PCMU'] as const)('%s errs by half a step at most, over the whole range', (law) => {
  let worst = 0
  for (let sample = -32_000; sample <= 32_000; sample += 1) {
    const decoded = laws[law].decode[laws[law].encode[sample & 0xffff] ?? 0] ?? 0
    worst = Math.max(worst, Math.abs(decoded - sample) / (Math.abs(sample) + 256))
  }
  expect(worst).toBeLessThan(1 / 31)
})

test('the tables are bit-exact', () => {
  const digests = [laws.PCMA.decode, laws.PCMU.decode, laws.PCMA.encode, laws.PCMU.encode].map((table) =>
    createHash('sha256').update(new Uint8Array(table.buffer)).digest('hex').slice(0, 16),
  )
  expect(digests).toEqual(['e04788d110e58ff8', '3dab54339e520bb2', 'f77c76aa923ee256', '2164b097996c76b0'])
})
