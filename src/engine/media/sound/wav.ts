/** WAV, 8 kHz, 16 bit, stereo unless said otherwise: its header, and how a file left by a killed process is made whole. */
import { open } from 'node:fs/promises'

export const wavHeaderLength = 44
const bytesPerSample = 2
export const frameBytes = 2 * bytesPerSample
const framesPerSecond = 8000
const pcm = 1
const largest = 0xffff_ffff - wavHeaderLength

export type WavFile = { path: string; seconds: number; bytes: number }

export function wavHeader(frames: number, channels: 1 | 2 = 2): Buffer {
  const bytesPerFrame = channels * bytesPerSample
  const data = Math.min(frames * bytesPerFrame, largest)
  const header = Buffer.alloc(wavHeaderLength)
  header.write('RIFF', 0)
  header.writeUInt32LE(data + wavHeaderLength - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(pcm, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(framesPerSecond, 24)
  header.writeUInt32LE(framesPerSecond * bytesPerFrame, 28)
  header.writeUInt16LE(bytesPerFrame, 32)
  header.writeUInt16LE(8 * bytesPerSample, 34)
  header.write('data', 36)
  header.writeUInt32LE(data, 40)
  return header
}

export const describeWav = (path: string, frames: number): WavFile => ({
  path,
  seconds: frames / framesPerSecond,
  bytes: wavHeaderLength + frames * frameBytes,
})

/**
 * The header of a recording is up to a second behind its sound, and a kill may have cut a frame in two. Undefined
 * when the file is no recording of ours; one that never got its header is empty.
 */
export async function repairWav(path: string): Promise<WavFile | undefined> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const found = Buffer.alloc(Math.min(size, wavHeaderLength))
    await file.read(found, 0, found.length, 0)
    const fixed = wavHeader(0)
    const ours =
      found.length < wavHeaderLength ? size === 0 : found.subarray(8, 40).equals(fixed.subarray(8, 40))
    if (!ours) return undefined
    const frames = Math.max(0, Math.floor((size - wavHeaderLength) / frameBytes))
    await file.truncate(wavHeaderLength + frames * frameBytes)
    await file.write(wavHeader(frames), 0, wavHeaderLength, 0)
    return describeWav(path, frames)
  } finally {
    await file.close()
  }
}
