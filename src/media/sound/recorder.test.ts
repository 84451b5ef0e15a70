import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { defaultClockRate } from '../rtp/rtp.ts'
import { headerOf } from '../testing/phone.ts'
import { rtpPacket } from '../testing/sound.ts'
import { channelOf } from '../testing/wav-file.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { repairWav, wavHeader } from './wav.ts'

const folder = await mkdtemp(join(tmpdir(), 'ramal-recorder-'))
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function recording() {
  const path = join(folder, `${files++}.wav`)
  const recorder = startRecorder(path, 0)
  await recorder.opened
  return { path, recorder }
}

/** Value of every sample of a packet: easy to find. */
const loudness = 5504
const sound = { samples: new Int16Array(160).fill(loudness), count: 160 }

type Said = { sequence: number; now: number; timestamp?: number; marker?: boolean; ssrc?: number }
function say(recorder: Recorder, channel: 0 | 1, { now, ...said }: Said) {
  const packet = rtpPacket(said)
  recorder.add(channel, headerOf(packet), sound, defaultClockRate, now)
}

/** The stretches of sound of a channel as [from, to) in ms. */
async function stretches(path: string, channel: 0 | 1) {
  const samples = channelOf(await readFile(path), channel)
  const found: [number, number][] = []
  for (const [at, sample] of samples.entries()) {
    const last = found.at(-1)
    if (sample !== loudness) continue
    if (last?.[1] === at) last[1] = at + 1
    else found.push([at, at + 1])
  }
  return found.map(([from, to]) => [from / 8, to / 8])
}

test('each side has its channel, with silence where no packet came', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, now: 100 })
  say(recorder, 1, { sequence: 1, now: 300, ssrc: 2 })
  expect(await recorder.finish(500)).toEqual({ path, seconds: 0.5, bytes: 44 + 500 * 32 })
  expect(await stretches(path, 0)).toEqual([[100, 120]])
  expect(await stretches(path, 1)).toEqual([[300, 320]])
})

test('a recording has nothing of an earlier one, whose ring it uses again', async () => {
  const earlier = await recording()
  say(earlier.recorder, 0, { sequence: 1, now: 900 })
  await earlier.recorder.finish(500)
  const { path, recorder } = await recording()
  say(earlier.recorder, 0, { sequence: 2, now: 920 })
  await expect(earlier.recorder.finish(1000)).rejects.toThrow('finished already')
  await recorder.finish(2000)
  expect(await stretches(path, 0)).toEqual([])
})

test('audio that comes while the file is being opened is not lost', async () => {
  const path = join(folder, `${files++}.wav`)
  const recorder = startRecorder(path, 0)
  say(recorder, 0, { sequence: 1, now: 0 })
  recorder.flush(2000)
  await recorder.opened
  expect(await recorder.finish(2000)).toMatchObject({ seconds: 2 })
  expect(await stretches(path, 0)).toEqual([[0, 20]])
})

test('packets are placed by timestamp, whatever their jitter and order', async () => {
  const { path, recorder } = await recording()
  for (const [sequence, now] of [
    [1, 100],
    [3, 141],
    [2, 159],
    [4, 160],
    [5, 199],
  ] as const)
    say(recorder, 0, { sequence, now })
  await recorder.finish(500)
  expect(await stretches(path, 0)).toEqual([[100, 200]])
})

test('D285: a lost packet is concealed by 20 ms of the sound before, fading; a lost second ends in silence', async () => {
  const { path, recorder } = await recording()
  for (const [sequence, now] of [
    [1, 100],
    [3, 140],
  ] as const)
    say(recorder, 0, { sequence, now })
  await recorder.finish(500)
  expect(await stretches(path, 0)).toEqual([
    [100, 120],
    [140, 160],
  ])
  const samples = channelOf(await readFile(path), 0)
  expect(samples[130 * 8]).toBeGreaterThan(loudness * 0.6)
  expect(samples[139 * 8]).toBeLessThan(loudness * 0.75)
  const long = await recording()
  say(long.recorder, 0, { sequence: 1, now: 100 })
  say(long.recorder, 0, { sequence: 51, now: 1100 })
  await long.recorder.finish(1500)
  const after = channelOf(await readFile(long.path), 0)
  expect([after[150 * 8], after[179 * 8], after[400 * 8]].map((sample) => Math.sign(sample ?? 0))).toEqual([
    1, 1, 0,
  ])
})

test('D285: what is no loss is not concealed: keys, and a pause of the sender', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, timestamp: 0, now: 100 })
  recorder.pause(0)
  say(recorder, 0, { sequence: 9, timestamp: 1280, now: 260 })
  await recorder.finish(500)
  expect(
    channelOf(await readFile(path), 0)
      .subarray(121 * 8, 259 * 8)
      .every((sample) => sample === 0),
  ).toBe(true)
})

test('a pause without packets is recorded as silence of its length', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, timestamp: 0, now: 100 })
  say(recorder, 0, { sequence: 2, timestamp: 8000, marker: true, now: 1103 })
  await recorder.finish(1500)
  expect(await stretches(path, 0)).toEqual([
    [100, 120],
    [1100, 1120],
  ])
})

test('a sender whose timestamps stood still in its pause is placed by arrival time', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, timestamp: 0, now: 100 })
  recorder.flush(1500)
  say(recorder, 0, { sequence: 2, timestamp: 160, marker: true, now: 1600 })
  await recorder.finish(2000)
  expect(await stretches(path, 0)).toEqual([
    [100, 120],
    [1600, 1620],
  ])
})

test('a late packet changes nothing written, but a slow clock is followed', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, timestamp: 0, now: 100 })
  recorder.flush(1500)
  for (let sequence = 2; sequence <= 6; sequence += 1)
    say(recorder, 0, { sequence, timestamp: sequence * 160, now: 1500 + sequence * 20 })
  expect(recorder.late()).toBe(4)
  await recorder.finish(2000)
  expect(await stretches(path, 0)).toEqual([
    [100, 120],
    [1620, 1640],
  ])
})

test('a new source and a jump of the timestamps are placed by arrival time', async () => {
  const { path, recorder } = await recording()
  say(recorder, 0, { sequence: 1, now: 100 })
  say(recorder, 0, { sequence: 900, ssrc: 77, now: 200 })
  say(recorder, 0, { sequence: 901, ssrc: 77, timestamp: 4_000_000_000, now: 300 })
  await recorder.finish(500)
  expect(await stretches(path, 0)).toEqual([
    [100, 120],
    [200, 220],
    [300, 320],
  ])
})

test('a minute goes through the ring of four seconds without a gap', async () => {
  const { path, recorder } = await recording()
  for (let sequence = 0; sequence < 3000; sequence += 1) {
    say(recorder, 1, { sequence, now: sequence * 20 })
    // A turn of the event loop, in which the file is written.
    if (sequence % 25 === 0) await tick(recorder, sequence * 20)
  }
  await recorder.finish(60_000)
  expect(await stretches(path, 1)).toEqual([[0, 60_000]])
  expect(recorder.late()).toBe(0)
})

test('a stalled disk loses audio but no memory', async () => {
  const { path, recorder } = await recording()
  for (let sequence = 0; sequence < 500; sequence += 1) say(recorder, 0, { sequence, now: sequence * 20 })
  await recorder.finish(10_000)
  const [first] = await stretches(path, 0)
  expect(first).toEqual([0, 4080])
  expect(recorder.late()).toBe(500 - 204)
})

test('an existing file is never overwritten', async () => {
  const { path, recorder } = await recording()
  await expect(startRecorder(path, 0).opened).rejects.toThrow('EEXIST')
  await recorder.finish(20)
})

test('a file cut in the middle of a frame is repaired', async () => {
  const { path, recorder } = await recording()
  await recorder.finish(1000)
  await truncate(path, 44 + 999)
  expect(await repairWav(path)).toEqual({ path, seconds: 249 / 8000, bytes: 44 + 996 })
  const repaired = await readFile(path)
  expect(repaired.subarray(0, 44)).toEqual(wavHeader(249))
  expect(repaired.length).toBe(44 + 996)
})

test('repair leaves a file alone that is no recording', async () => {
  const path = join(folder, 'letter.txt')
  await writeFile(path, 'Dear Ana, this is a letter and no recording at all.')
  expect(await repairWav(path)).toBeUndefined()
  expect(await readFile(path, 'utf8')).toMatch(/^Dear Ana/)
})

async function tick(recorder: Recorder, now: number) {
  recorder.flush(now)
  await recorder.idle()
}
