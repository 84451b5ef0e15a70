/** Tones in files: made for peers to play, and detected in what they recorded. */
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Recording } from '../../../src/engine/port.ts'
import { renderSamples } from '../../../src/media/sound/tone.ts'
import { wavHeader, wavHeaderLength } from '../../../src/media/sound/wav.ts'
import { encode, powerShare } from '../../../src/media/testing/sound.ts'

const rate = 8000

/** Mono, 8 kHz, 16 bit. */
export async function writeToneWav(path: string, hertz: number, seconds: number) {
  const samples = toneSamples(hertz, seconds)
  const header = wavHeader(samples.length / 2)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  await writeFile(path, Buffer.concat([header, Buffer.from(samples.buffer)]))
}

/** Bare A-law octets, as SIPp streams them. */
export async function writeToneAlaw(path: string, hertz: number, seconds: number) {
  await writeFile(path, encode(toneSamples(hertz, seconds), 'PCMA'))
}

function toneSamples(hertz: number, seconds: number): Int16Array {
  const second = renderSamples({ hertz: [hertz], cadence: [] })
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, at) => second[at % rate] ?? 0)
}

/** The channels of a WAV of 16 bits, brought to 8 kHz by leaving samples out. */
export function readWav(file: Buffer): { channels: Int16Array[]; seconds: number } {
  if (file.toString('latin1', 0, 4) !== 'RIFF') throw new Error('no WAV')
  let [at, count, step] = [12, 0, 1]
  while (file.toString('latin1', at, at + 4) !== 'data') {
    if (file.toString('latin1', at, at + 4) === 'fmt ') {
      count = file.readUInt16LE(at + 10)
      step = file.readUInt32LE(at + 12) / rate
      if (file.readUInt16LE(at + 22) !== 16 || !Number.isInteger(step))
        throw new Error('a WAV of another kind')
    }
    at += 8 + file.readUInt32LE(at + 4)
  }
  // A recorder that still runs has not written the length yet: what is there counts.
  const frames = Math.floor((file.length - at - 8) / (2 * count * step))
  const channels = Array.from({ length: count }, (_, channel) =>
    Int16Array.from({ length: frames }, (_, frame) =>
      file.readInt16LE(at + 8 + 2 * (frame * step * count + channel)),
    ),
  )
  return { channels, seconds: frames / rate }
}

/** Asterisk writes the length into the header when it closes the file. */
export const wavIsWhole = (file: Buffer) =>
  file.length > wavHeaderLength && file.readUInt32LE(4) > wavHeaderLength

export async function readChannel(path: string, channel = 0): Promise<Int16Array> {
  const samples = readWav(await readFile(path)).channels[channel]
  if (!samples) throw new Error(`${path} has no channel ${channel}`)
  return samples
}

/** One channel of a recording of the engine. */
export async function channelOf(recording: Recording | undefined, channel: number): Promise<Int16Array> {
  if (!recording) throw new Error('nothing was recorded')
  const samples = readWav(await buffer(await recording.open())).channels[channel]
  if (!samples) throw new Error(`the recording has no channel ${channel}`)
  return samples
}

/**
 * For how many seconds the tone was heard, by windows of 40 ms that are nearly all of it. A tone that was
 * cut and resumed changes its phase, so the whole file at once would say too little.
 */
export function secondsOfTone(samples: Int16Array, hertz: number): number {
  const size = rate / 25
  let heard = 0
  for (let at = 0; at + size <= samples.length; at += size) {
    if (powerShare(samples.subarray(at, at + size), hertz) > 0.9) heard += 1
  }
  return heard / 25
}
