/** Checks of tones in what was heard or recorded. */
import { expect } from 'vitest'
import type { CallEvent, Recording } from '../../../src/engine/port.ts'
import { powerShare, rms } from '../../../src/media/sound/spectrum.ts'
import { channelOf, secondsOfTone } from '../peers/tones.ts'

const rate = 8000
/** Windows of 40 ms, as secondsOfTone has them. */
const windowSize = rate / 25

type Listen = () => Promise<Int16Array>

export async function expectTone(listen: Listen, hertz: number, seconds = 0.6) {
  await expect
    .poll(async () => secondsOfTone(await listen(), hertz), { timeout: 15_000, interval: 100 })
    .toBeGreaterThan(seconds)
}

/**
 * For how long there was more than a trace of it, mixed with whatever else. Windows that a tone fills only in part
 * are left out: its edges have a little of every frequency.
 */
export function secondsWithTrace(samples: Int16Array, hertz: number): number {
  const windows = windowsOf(samples)
  const loud = Math.max(0, ...windows.map(rms)) / 2
  return windows.filter((one) => rms(one) > loud && powerShare(one, hertz) > 0.05).length / 25
}

function windowsOf(samples: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(samples.length / windowSize) }, (_, index) =>
    samples.subarray(index * windowSize, (index + 1) * windowSize),
  )
}

/** Where the tone is first and last heard, in seconds. */
export function spanOfTone(samples: Int16Array, hertz: number): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, 0]
  for (const [index, one] of windowsOf(samples).entries()) {
    if (powerShare(one, hertz) <= 0.9) continue
    from = Math.min(from, index / 25)
    to = (index + 1) / 25
  }
  return { from, to }
}

type RecordedCall = { calls: CallEvent[]; callId: string }
/** `skippedSeconds`: by which a test advanced the timers; sound is in real time. */
type CheckedCall = RecordedCall & { skippedSeconds?: number }
type Tones = { left: number; right: number; never?: number[] }

/** It has one side on each channel, from the destination's answer to the end, and nothing that was played before. */
export async function checkRecording(
  { calls, callId, skippedSeconds = 0 }: CheckedCall,
  { left, right, never = [] }: Tones,
) {
  const seconds = secondsOfTalk({ calls, callId }) - skippedSeconds
  const recording = recordingOf(calls, callId)
  const [mine, theirs] = await Promise.all([channelOf(recording, 0), channelOf(recording, 1)])
  expect(Math.abs(recording.seconds - seconds)).toBeLessThan(0.2)
  expect(Math.abs(mine.length / rate - recording.seconds)).toBeLessThan(0.02)
  for (const [heard, own, other] of [
    [mine, left, right],
    [theirs, right, left],
  ] as const) {
    // Both heard 0.6 s; packets that a busy machine delays are silence in the recording.
    expect(secondsOfTone(heard, own)).toBeGreaterThan(0.3)
    expect(secondsWithTrace(heard, other)).toBe(0)
    for (const hertz of never) expect(secondsOfTone(heard, hertz)).toBe(0)
  }
  return { left: mine, right: theirs, seconds }
}

function secondsOfTalk({ calls, callId }: RecordedCall): number {
  const at = (type: CallEvent['type']) =>
    calls.find((event) => event.callId === callId && event.type === type)?.at.getTime() ?? Number.NaN
  return (at('ended') - at('answered')) / 1000
}

function recordingOf(calls: CallEvent[], callId: string): Recording {
  const end = calls.find((event) => event.callId === callId && event.type === 'ended')
  if (end?.type !== 'ended' || !end.recording) throw new Error('nothing was recorded')
  return end.recording
}
