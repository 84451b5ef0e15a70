/**
 * Records a call as stereo: the extension left, the other side right. Samples wait in a ring of four seconds, for at
 * least 500 ms so that reordered or delayed packets find their place. Once a second they are written: first the
 * samples, then the header with their number, so that the file is playable whenever the process is killed.
 *
 *   ring   ├── being written ──┼── waiting ──────┼─ 500 ms ┤ now
 *        onDisk             written             due
 */
import { type FileHandle, open } from 'node:fs/promises'
import { type DecodedSound, maxSamplesPerPacket } from '../codecs/codec.ts'
import { type RtpHeader, sequenceStep } from '../rtp/rtp.ts'
import { conceal, maxRepeated } from './concealment.ts'
import { createRingPool } from './ring-pool.ts'
import { createTimeline } from './timeline.ts'
import { describeWav, frameBytes, type WavFile, wavHeader, wavHeaderLength, wavSampleRate } from './wav.ts'

const ringFrames = 32_768
const framesPerMs = wavSampleRate / 1000
const writeDelay = 500 * framesPerMs
const framesPerWrite = wavSampleRate
const ownerOnly = 0o600

type Channel = 0 | 1

/** Shared by all recordings of the thread: used only within one call of `add`. */
const concealed = new Int16Array(maxSamplesPerPacket)
/** 32 MB at most. */
const rings = createRingPool(ringFrames * 2, 256)
/** A longer gap is no loss of packets but a pause. */
const maxConcealed = 2 * wavSampleRate

/** Accepts packets at once: while the file is being opened they wait in the ring. */
export function startRecorder(path: string, start: number) {
  const opening = openFile(path)
  const ring = rings.take()
  const ringBytes = Buffer.from(ring.buffer)
  const timelines = [createTimeline(), createTimeline()] as const
  const streams = [createStream(), createStream()] as const
  let onDisk = 0
  let written = 0
  let writing: Promise<void> | undefined
  let failure: unknown
  let late = 0
  /** From then on the ring may be that of another recording. */
  let isFinished = false

  const positionAt = (now: number) => Math.max(0, Math.round((now - start) * framesPerMs))

  /** Adds the sound of a packet, decoded to the sample rate of the file, where its RTP clock places it. */
  function add(channel: Channel, header: RtpHeader, sound: DecodedSound, clockRate: number, now: number) {
    if (isFinished) return
    const { samples, count } = sound
    const position = timelines[channel].place(header, positionAt(now), written, wavSampleRate / clockRate)
    // The ring is full if the disk has stalled.
    if (position < 0 || position + count > onDisk + ringFrames) {
      late += 1
      return
    }
    put(channel, position, samples, count)
    fillGap(channel, header, position)
    const before = streams[channel]
    if (before.ssrc !== header.ssrc || sequenceStep(before.sequence, header.sequence) > 0) {
      before.ssrc = header.ssrc
      before.sequence = header.sequence
      before.end = position + count
      before.count = count
    }
  }

  /** D285: fills the gap before a packet if packets are missing there. If they come after all, they overwrite it. */
  function fillGap(channel: Channel, { ssrc, sequence }: RtpHeader, position: number) {
    const before = streams[channel]
    const { end } = before
    const isGap = before.ssrc === ssrc && sequenceStep(before.sequence, sequence) > 1
    if (!isGap || end < written || end >= position || position - end > maxConcealed) return
    put(channel, end, concealed, conceal(soundBefore(channel), position - end, concealed))
  }

  /** The end of the latest packet, as far as it is not on disk yet. */
  function soundBefore(channel: Channel): Int16Array {
    const { end, count } = streams[channel]
    const length = Math.min(count, maxRepeated, end - onDisk)
    return Int16Array.from({ length }, (_, index) => ring[slotOf(channel, end - length + index)] ?? 0)
  }

  const slotOf = (channel: Channel, position: number) => (position % ringFrames) * 2 + channel

  function put(channel: Channel, position: number, from: Int16Array, length: number) {
    const wrapAt = Math.min(length, ringFrames - (position % ringFrames))
    copySamples(from, 0, wrapAt, slotOf(channel, position))
    if (wrapAt < length) copySamples(from, wrapAt, length, channel)
  }

  function copySamples(source: Int16Array, from: number, to: number, firstSlot: number) {
    for (let at = from, slot = firstSlot; at < to; at += 1, slot += 2) ring[slot] = source[at] ?? 0
  }

  /** Writes the frames that are due, if they are a second or more. One write at a time. */
  function flush(now: number) {
    const due = positionAt(now) - writeDelay
    if (!isFinished && !writing && failure === undefined && due - written >= framesPerWrite)
      void beginWrite(due)
  }

  function beginWrite(end: number): Promise<void> {
    written = Math.min(end, onDisk + ringFrames)
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
    const from = (onDisk % ringFrames) * frameBytes
    const to = from + (written - onDisk) * frameBytes
    const parts = [ringBytes.subarray(from, Math.min(to, ringBytes.length))]
    if (to > ringBytes.length) parts.push(ringBytes.subarray(0, to - ringBytes.length))
    await writeAll(file, parts, wavHeaderLength + onDisk * frameBytes)
    await file.write(wavHeader(written), 0, wavHeaderLength, 0)
    for (const part of parts) part.fill(0)
    onDisk = written
  }

  async function finish(now: number): Promise<WavFile> {
    if (isFinished) throw new Error('the recording is finished already')
    isFinished = true
    const end = positionAt(now)
    try {
      await writing
      while (written < end && failure === undefined) await beginWrite(end)
    } finally {
      await (await opening).close()
      rings.release(ring)
    }
    if (failure !== undefined) throw new Error('the recording could not be written', { cause: failure })
    return describeWav(path, written)
  }

  return {
    /** Rejects if the file cannot be created. */
    opened: opening.then(() => {}),
    add,
    /** Packets without sound follow, such as keys: the gap is no loss. */
    pause(channel: Channel) {
      streams[channel].count = 0
    },
    flush,
    finish,
    /** Resolves when the current write has succeeded or failed. */
    idle: async () => await writing,
    late: () => late,
    failure: () => failure,
  }
}
export type Recorder = ReturnType<typeof startRecorder>

/** The latest packet of a channel: where it ends, and its samples. */
const createStream = () => ({ ssrc: -1, sequence: 0, end: 0, count: 0 })

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx', ownerOnly)
  try {
    await file.write(wavHeader(0), 0, wavHeaderLength, 0)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeAll(file: FileHandle, parts: Buffer[], position: number) {
  const wanted = parts.reduce((sum, part) => sum + part.length, 0)
  const { bytesWritten } = await file.writev(parts, position)
  if (bytesWritten !== wanted) throw new Error(`the disk took ${bytesWritten} of ${wanted} bytes`)
}
