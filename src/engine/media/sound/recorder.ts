/**
 * A call's recording: left the extension, right the other side. Sound waits in a ring of four seconds, at least
 * half a second of it so that what was reordered, or waited for us, finds its place, and is written once a second: first the sound, then
 * the header that counts it, so the file is playable whenever the process is killed.
 *
 *   ring   ├── being written ──┼── waiting ──────┼─ 500 ms ┤ now
 *        kept               written            ripe
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { RtpHeader } from '../rtp/rtp.ts'
import { createTimeline } from './timeline.ts'
import { describeWav, frameBytes, type WavFile, wavHeader, wavHeaderLength } from './wav.ts'

const ringFrames = 32_768
const framesPerMs = 8
const ripeAfter = 500 * framesPerMs
const framesPerWrite = 8000
const privateFile = 0o600

type Channel = 0 | 1

/** Takes sound at once: what is said while the file is being opened waits in the ring. */
export function startRecorder(path: string, start: number) {
  const opening = openFile(path)
  const ring = new Int16Array(ringFrames * 2)
  const octets = Buffer.from(ring.buffer)
  const timelines = [createTimeline(), createTimeline()] as const
  let kept = 0
  let written = 0
  let writing: Promise<void> | undefined
  let failure: unknown
  let late = 0

  const positionAt = (now: number) => Math.max(0, Math.round((now - start) * framesPerMs))

  function take(channel: Channel, packet: Buffer, header: RtpHeader, decode: Int16Array, now: number) {
    const at = timelines[channel].place(header, positionAt(now), written)
    const length = header.to - header.from
    // The second is a disk that stands still: the ring is full of what it has not taken.
    if (at < 0 || at + length > kept + ringFrames) {
      late += 1
      return
    }
    let slot = (at % ringFrames) * 2 + channel
    for (let from = header.from; from < header.to; from += 1) {
      ring[slot] = decode[packet[from] ?? 0] ?? 0
      slot += 2
      if (slot >= ring.length) slot -= ring.length
    }
  }

  /** Writes what is ripe, if that is a second or more. One write at a time. */
  function flush(now: number) {
    const ripe = positionAt(now) - ripeAfter
    if (!writing && failure === undefined && ripe - written >= framesPerWrite) void begin(ripe)
  }

  function begin(to: number): Promise<void> {
    written = Math.min(to, kept + ringFrames)
    writing = write()
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  async function write() {
    const file = await opening
    const from = (kept % ringFrames) * frameBytes
    const to = from + (written - kept) * frameBytes
    const parts = [octets.subarray(from, Math.min(to, octets.length))]
    if (to > octets.length) parts.push(octets.subarray(0, to - octets.length))
    await writeWhole(file, parts, wavHeaderLength + kept * frameBytes)
    await file.write(wavHeader(written), 0, wavHeaderLength, 0)
    for (const part of parts) part.fill(0)
    kept = written
  }

  async function finish(now: number): Promise<WavFile> {
    const end = positionAt(now)
    try {
      await writing
      while (written < end && failure === undefined) await begin(end)
    } finally {
      await (await opening).close()
    }
    if (failure !== undefined) throw new Error('the recording could not be written', { cause: failure })
    return describeWav(path, written)
  }

  return {
    /** Fails if there can be no such file. */
    opened: opening.then(() => {}),
    take,
    flush,
    finish,
    /** Once the write under way has ended, well or not. */
    settled: async () => await writing,
    late: () => late,
    failure: () => failure,
  }
}
export type Recorder = ReturnType<typeof startRecorder>

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx', privateFile)
  try {
    await file.write(wavHeader(0), 0, wavHeaderLength, 0)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeWhole(file: FileHandle, parts: Buffer[], position: number) {
  const wanted = parts.reduce((sum, part) => sum + part.length, 0)
  const { bytesWritten } = await file.writev(parts, position)
  if (bytesWritten !== wanted) throw new Error(`the disk took ${bytesWritten} of ${wanted} bytes`)
}
