import { expect, test } from 'vitest'
import { conversion, decoding, encode, encoding } from './g711.ts'

test('A-law decodes the known values', () => {
  const known = [
    [0x55, -8],
    [0xd5, 8],
    [0x2a, -32_256],
    [0xaa, 32_256],
    [0x80, 5504],
    [0x00, -5504],
  ] as const
  for (const [octet, sample] of known) expect(decoding.PCMA[octet]).toBe(sample)
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
  for (const [octet, sample] of known) expect(decoding.PCMU[octet]).toBe(sample)
})

test('silence and the extremes encode to the known octets', () => {
  const samples = Int16Array.of(0, -1, 32_767, -32_768)
  expect([...encode('PCMA', samples)]).toEqual([0xd5, 0x55, 0xaa, 0x2a])
  expect([...encode('PCMU', samples)]).toEqual([0xff, 0x7f, 0x80, 0x00])
})

test('every octet comes back from linear as it was, but for the second zero of µ-law', () => {
  for (let octet = 0; octet < 256; octet += 1) {
    expect(encoding.PCMA[(decoding.PCMA[octet] ?? 0) & 0xffff]).toBe(octet)
    expect(encoding.PCMU[(decoding.PCMU[octet] ?? 0) & 0xffff]).toBe(octet === 0x7f ? 0xff : octet)
  }
})

test.each(['PCMA', 'PCMU'] as const)('%s errs by half a step at most, over the whole range', (law) => {
  let worst = 0
  for (let sample = -32_000; sample <= 32_000; sample += 1) {
    const back = decoding[law][encoding[law][sample & 0xffff] ?? 0] ?? 0
    worst = Math.max(worst, Math.abs(back - sample) / (Math.abs(sample) + 256))
  }
  expect(worst).toBeLessThan(1 / 31)
})

test('conversion between the laws stays within one step of the coarser', () => {
  for (let octet = 0; octet < 256; octet += 1) {
    const was = decoding.PCMU[octet] ?? 0
    const is = decoding.PCMA[conversion.PCMU[octet] ?? 0] ?? 0
    expect(Math.abs(is - was)).toBeLessThanOrEqual(Math.max(16, Math.abs(was) / 16))
  }
})
