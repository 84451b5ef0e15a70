/** WAV files of 8 kHz and 16 bit, by default stereo: their header, and repair after the process was killed. */
import { type FileHandle, open } from 'node:fs/promises'

export const wavHeaderLength = 44
const bytesPerSample = 2
export const frameBytes = 2 * bytesPerSample
export const wavSampleRate = 8000
const pcm = 1
const maxDataBytes = 0xffff_ffff - wavHeaderLength

export type WavFile = { path: string; seconds: number; bytes: number }

export function wavHeader(frames: number, channels: 1 | 2 = 2): Buffer {
  const bytesPerFrame = channels * bytesPerSample
  const data = Math.min(frames * bytesPerFrame, maxDataBytes)
  const header = Buffer.alloc(wavHeaderLength)
  header.write('RIFF', 0)
  header.writeUInt32LE(data + wavHeaderLength - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(pcm, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(wavSampleRate, 24)
  header.writeUInt32LE(wavSampleRate * bytesPerFrame, 28)
  header.writeUInt16LE(bytesPerFrame, 32)
  header.writeUInt16LE(8 * bytesPerSample, 34)
  header.write('data', 36)
  header.writeUInt32LE(data, 40)
  return header
}

export const describeWav = (path: string, frames: number): WavFile => ({
  path,
  seconds: frames / wavSampleRate,
  bytes: wavHeaderLength + frames * frameBytes,
})

/**
 * Repairs the header, which may be a second behind the samples, and removes an incomplete last frame. A file without
 * a header becomes an empty recording. Undefined if the file is no recording of ours.
 */
export async function repairWav(path: string): Promise<WavFile | undefined> {
  const file = await open(path, 'r+')
  try {
    const frames = await countFrames(file)
    if (frames === undefined) return undefined
    await file.truncate(wavHeaderLength + frames * frameBytes)
    await file.write(wavHeader(frames), 0, wavHeaderLength, 0)
    return describeWav(path, frames)
  } finally {
    await file.close()
  }
}

/** What `repairWav` would return, without changing the file. */
export async function measureWav(path: string): Promise<WavFile | undefined> {
  const file = await open(path)
  try {
    const frames = await countFrames(file)
    return frames === undefined ? undefined : describeWav(path, frames)
  } finally {
    await file.close()
  }
}

/** Whole frames by the length of the file; undefined if the header is not ours. */
async function countFrames(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat()
  const header = Buffer.alloc(Math.min(size, wavHeaderLength))
  await file.read(header, 0, header.length, 0)
  const usual = wavHeader(0)
  const isOurs =
    header.length < wavHeaderLength ? size === 0 : header.subarray(8, 40).equals(usual.subarray(8, 40))
  return isOurs ? Math.max(0, Math.floor((size - wavHeaderLength) / frameBytes)) : undefined
}
