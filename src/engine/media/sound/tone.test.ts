import { expect, test } from 'vitest'
import { createPace } from '../rtp/pacer.ts'
import { decode, share } from '../testing/sound.ts'
import { brazilianRingback, drawSamples, drawTone } from './tone.ts'

test('Brazilian ringback is 425 Hz for one second and silence for four', () => {
  const round = drawSamples(brazilianRingback)
  expect(round.length).toBe(5 * 8000)
  expect(share(round.subarray(0, 8000), 425)).toBeGreaterThan(0.99)
  expect(round.subarray(8000).every((sample) => sample === 0)).toBe(true)
})

test.each(['PCMA', 'PCMU'] as const)('a tone keeps its frequency in %s', (law) => {
  const octets = drawTone({ hertz: [440], cadence: [] }, law)
  expect(share(decode(octets, law), 440)).toBeGreaterThan(0.99)
})

test('two frequencies share the power', () => {
  const samples = drawSamples({ hertz: [350, 440], cadence: [] })
  expect(share(samples, 350)).toBeCloseTo(0.5, 1)
  expect(share(samples, 440)).toBeCloseTo(0.5, 1)
})

test.each([[[5]], [[60_000]], [[-100, 50]], [[Number.NaN]]])('a cadence of %j ms is refused', (cadence) => {
  expect(() => drawSamples({ hertz: [425], cadence })).toThrow(RangeError)
})

function played(times: number[]): number[][] {
  const pace = createPace(0)
  return times.map((now) => {
    const indexes: number[] = []
    pace.keep(now, (index) => indexes.push(index))
    return indexes
  })
}

test('one packet is due every 20 ms, however often one asks', () => {
  expect(played([0, 5, 19, 20, 21, 40])).toEqual([[0], [], [], [1], [], [2]])
})

test('a late timer is caught up two packets at a time', () => {
  expect(played([0, 100, 120, 140, 160])).toEqual([[0], [1, 2], [3, 4], [5, 6], [7, 8]])
})

test('what is further behind than 200 ms stays unplayed', () => {
  expect(played([0, 5000, 5020])).toEqual([[0], [249, 250], [251]])
})
