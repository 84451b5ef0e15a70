/** What an ear hears, in a file: mono, 8 kHz, 16 bit; a gap in what came is a silence of its length. */
import { type FileHandle, open } from 'node:fs/promises'
import type { RtpHeader } from '../../media/rtp/rtp.ts'
import { createTimeline } from '../../media/sound/timeline.ts'
import { wavHeader, wavHeaderLength } from '../../media/sound/wav.ts'

const samplesPerMs = 8
const bytesPerSample = 2
/** Held back this long so that what came out of order finds its place. */
const ripeAfter = 100 * samplesPerMs
const ringSamples = 32_768
const samplesPerWrite = 8000

/** An older file of that name is replaced. */
export async function openWavRecording(path: string, now: () => number) {
  const file = await open(path, 'w')
  await file.write(wavHeader(0, 1), 0, wavHeaderLength, 0)
  return createWavRecording(path, file, now)
}

function createWavRecording(path: string, file: FileHandle, now: () => number) {
  const ring = new Int16Array(ringSamples)
  const timeline = createTimeline()
  const start = now()
  let written = 0
  let writing = Promise.resolve()
  let failure: unknown

  const position = () => Math.round((now() - start) * samplesPerMs)

  function take(header: RtpHeader, samples: Int16Array) {
    const ripe = position() - ripeAfter
    if (ripe - written >= samplesPerWrite) write(ripe)
    const at = timeline.place(header, position(), written)
    if (at < 0 || at + samples.length > written + ringSamples) return
    for (const [index, sample] of samples.entries()) ring[(at + index) % ringSamples] = sample
  }

  /** Copied out at once: the ring goes on while the disk works. Beyond the ring there was silence: a hole in the file. */
  function write(until: number) {
    const length = Math.max(0, Math.min(until - written, ringSamples))
    const octets = Buffer.alloc(length * bytesPerSample)
    for (let index = 0; index < length; index += 1) {
      const slot = (written + index) % ringSamples
      octets.writeInt16LE(ring[slot] ?? 0, index * bytesPerSample)
      ring[slot] = 0
    }
    const at = wavHeaderLength + written * bytesPerSample
    written = Math.max(written, until)
    writing = writing.then(async () => void (await file.write(octets, 0, octets.length, at))).catch(keep)
  }

  const keep = (error: unknown) => {
    failure ??= error
  }

  return {
    take,
    /** Throws what kept it from being written. */
    async close() {
      write(position())
      await writing
      await file.truncate(wavHeaderLength + written * bytesPerSample).catch(keep)
      await file.write(wavHeader(written, 1), 0, wavHeaderLength, 0).catch(keep)
      await file.close()
      if (failure !== undefined) throw new Error(`${path} could not be written`, { cause: failure })
    },
  }
}
