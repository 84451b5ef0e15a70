import { expect, test } from 'vitest'
import { codecNamed } from '../codecs/registry.ts'
import { createPacer } from '../rtp/pacer.ts'
import { decode, powerShare } from '../testing/sound.ts'
import { brazilianRingback, renderSamples, renderTone } from './tone.ts'

test('Brazilian ringback is 425 Hz for one second and silence for four', () => {
  const cycle = renderSamples(brazilianRingback)
  expect(cycle.length).toBe(5 * 8000)
  expect(powerShare(cycle.subarray(0, 8000), 425)).toBeGreaterThan(0.99)
  expect(cycle.subarray(8000).every((sample) => sample === 0)).toBe(true)
})

test.each(['PCMA', 'PCMU'] as const)('a tone keeps its frequency in %s', (name) => {
  const octets = Buffer.concat(renderTone({ hertz: [440], cadence: [] }, codecNamed(name)))
  expect(powerShare(decode(octets, name), 440)).toBeGreaterThan(0.99)
})

test('two frequencies share the power', () => {
  const samples = renderSamples({ hertz: [350, 440], cadence: [] })
  expect(powerShare(samples, 350)).toBeCloseTo(0.5, 1)
  expect(powerShare(samples, 440)).toBeCloseTo(0.5, 1)
})

test.each([[[5]], [[60_000]], [[-100, 50]], [[Number.NaN]]])('a cadence of %j ms is refused', (cadence) => {
  expect(() => renderSamples({ hertz: [425], cadence })).toThrow(RangeError)
})

function played(times: number[]): number[][] {
  const pacer = createPacer(0)
  return times.map((now) => {
    const indexes: number[] = []
    pacer.sendDue(now, (index) => indexes.push(index))
    return indexes
  })
}

test('one packet is due every 20 ms, however often the timer fires', () => {
  expect(played([0, 5, 19, 20, 21, 40])).toEqual([[0], [], [], [1], [], [2]])
})

test('a late timer is caught up two packets at a time', () => {
  expect(played([0, 100, 120, 140, 160])).toEqual([[0], [1, 2], [3, 4], [5, 6], [7, 8]])
})

test('packets further behind than 200 ms are skipped', () => {
  expect(played([0, 5000, 5020])).toEqual([[0], [249, 250], [251]])
})
