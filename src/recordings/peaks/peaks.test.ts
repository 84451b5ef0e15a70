/** D316: the peaks of a recording, whichever parts it is read in. */
import { expect, test } from 'vitest'
import { addPart, framesPerPeak, peaksOf, silentPeaks } from './peaks.ts'

/** Left and right samples as bytes. */
function soundOf(frames: [number, number][]): Uint8Array {
  return new Uint8Array(Int16Array.from(frames.flat()).buffer)
}

test('each peak is the loudest sample of its part, of either sign, from 0 to 255', () => {
  const sound = soundOf([
    [0, 0],
    [127, -128],
    [12_800, -32_768],
    [-6_400, 32_767],
  ])
  expect(peaksOf({ samples: sound, firstFrame: 0, framesPerPeak: 2 })).toEqual({
    at: 0,
    extension: Uint8Array.of(0, 100),
    destination: Uint8Array.of(1, 255),
  })
})

test('a short recording has a peak every 20 ms, a long one has 1,000', () => {
  expect(framesPerPeak(8_000)).toBe(160)
  expect(Math.ceil(8_000 / framesPerPeak(8_000))).toBe(50)
  const hour = 3_600 * 8_000
  expect(Math.ceil(hour / framesPerPeak(hour))).toBe(1_000)
})

test('parts of any length give the peaks of the whole', () => {
  const frames = Array.from({ length: 1_000 }, (_, at): [number, number] => [
    (at * 7_919) % 32_768,
    -((at * 104_729) % 32_768),
  ])
  const { at, ...whole } = peaksOf({ samples: soundOf(frames), firstFrame: 0, framesPerPeak: 37 })
  expect(at).toBe(0)
  for (const length of [1, 36, 37, 38, 500]) {
    const joined = silentPeaks(Math.ceil(1_000 / 37))
    for (let first = 0; first < 1_000; first += length) {
      const samples = soundOf(frames.slice(first, first + length))
      addPart(joined, peaksOf({ samples, firstFrame: first, framesPerPeak: 37 }))
    }
    expect(joined, `${length} frames at a time`).toEqual(whole)
  }
})
