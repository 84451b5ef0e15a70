/** D286: recordings as one channel, or with the caller first. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { wavHeader } from '../../media/sound/wav.ts'
import type { ByteRange } from '../storage/port.ts'
import { inForm, type SoundForm } from './sound-form.ts'

const frames = [
  [100, -100],
  [1, 2],
  [30_000, 30_000],
  [-30_000, -30_000],
  [7, 0],
]
const stereo = Buffer.concat([
  wavHeader(frames.length),
  ...frames.map((pair) => Buffer.from(Int16Array.from(pair).buffer)),
])

/** A stored recording that arrives in chunks which end within frames. */
function stored(file: Buffer) {
  let isClosed = false
  return {
    bytes: file.length,
    read({ from, to }: ByteRange = { from: 0, to: file.length - 1 }) {
      const part = file.subarray(from, to + 1)
      const chunks: Buffer[] = []
      for (let at = 0; at < part.length; at += 3) chunks.push(part.subarray(at, at + 3))
      return Readable.from(chunks)
    },
    async close() {
      isClosed = true
    },
    isClosed: () => isClosed,
  }
}

const samplesOf = (file: Buffer) =>
  Array.from({ length: (file.length - 44) / 2 }, (_, index) => file.readInt16LE(44 + 2 * index))

test('one channel is the sum of both, within what a sample can hold', async () => {
  const sound = inForm(stored(stereo), { channels: 1, isSwapped: false })
  const file = await buffer(sound.read())
  expect(file.length).toBe(sound.bytes)
  expect(file.subarray(0, 44)).toEqual(wavHeader(frames.length, 1))
  expect(samplesOf(file)).toEqual([0, 3, 32_767, -32_768, 7])
})

test('swapped, the right channel comes first', async () => {
  const file = await buffer(inForm(stored(stereo), { channels: 2, isSwapped: true }).read())
  expect(file.subarray(0, 44)).toEqual(stereo.subarray(0, 44))
  expect(samplesOf(file)).toEqual(frames.flatMap(([left = 0, right = 0]) => [right, left]))
})

test.each<SoundForm>([
  { channels: 1, isSwapped: false },
  { channels: 2, isSwapped: true },
  { channels: 2, isSwapped: false },
])('every range of %j is that part of the whole', async (form) => {
  const whole = await buffer(inForm(stored(stereo), form).read())
  for (let from = 38; from < whole.length; from += 1)
    for (let to = from; to < whole.length; to += 1) {
      const source = stored(stereo)
      expect(await buffer(inForm(source, form).read({ from, to }))).toEqual(whole.subarray(from, to + 1))
    }
})

test('a range within the header closes the stored recording', async () => {
  const source = stored(stereo)
  await buffer(inForm(source, { channels: 1, isSwapped: false }).read({ from: 0, to: 10 }))
  expect(source.isClosed()).toBe(true)
})
