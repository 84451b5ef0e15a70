import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRtpHeader } from '../../../media/rtp/rtp.ts'
import { readWav } from './read-wav.ts'
import { openWavRecording } from './wav-recording.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A recording with a manual clock, and a sender of packets with one sample value. */
async function begin() {
  let now = 0
  const path = join(folder, 'received.wav')
  const recording = await openWavRecording(path, () => now)
  return {
    pass(ms: number) {
      now += ms
    },
    say(packet: number, value: number) {
      const header = { ...createRtpHeader(), ssrc: 1, sequence: packet, timestamp: packet * 160 }
      recording.add(header, new Int16Array(160).fill(value), 8000)
    },
    async end() {
      await recording.close()
      return readWav(await readFile(path))
    },
  }
}

test('packets are in order in the file, whatever the order of their arrival', async () => {
  const { pass, say, end } = await begin()
  for (const packet of [0, 2, 1, 3]) {
    say(packet, packet + 1)
    pass(20)
  }
  const samples = await end()
  expect(samples).toHaveLength(640)
  expect([0, 160, 320, 480].map((at) => samples[at])).toEqual([1, 2, 3, 4])
})

test('a long silence has its length in the file, and is followed by the audio', async () => {
  const { pass, say, end } = await begin()
  say(0, 7)
  pass(3_600_000)
  say(180_000, 9)
  pass(20)
  const samples = await end()
  // readWav reads ten minutes at most.
  expect(samples.length).toBe(600 * 8000)
  expect(samples[0]).toBe(7)
  expect(samples.subarray(160, 9000).every((sample) => sample === 0)).toBe(true)
})

test('audio after a silence is not lost', async () => {
  const { pass, say, end } = await begin()
  say(0, 7)
  pass(10_000)
  say(500, 9)
  pass(20)
  const samples = await end()
  expect(samples).toHaveLength(8 * 10_020)
  expect(samples.at(-1)).toBe(9)
})
