/** Records received audio into a mono WAV file of 8 kHz and 16 bit; missing packets become silence. */
import { type FileHandle, open } from 'node:fs/promises'
import type { RtpHeader } from '../../../media/rtp/rtp.ts'
import { createTimeline } from '../../../media/sound/timeline.ts'
import { wavHeader, wavHeaderLength, wavSampleRate } from '../../../media/sound/wav.ts'

const samplesPerMs = wavSampleRate / 1000
const bytesPerSample = 2
/** Samples are written this much later, so that reordered packets find their place. */
const writeDelay = 100 * samplesPerMs
const ringSamples = 32_768
const samplesPerWrite = wavSampleRate

/** Replaces an existing file. */
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

  /** `samples` are of 8 kHz, whatever the RTP clock of their codec is. */
  function add(header: RtpHeader, samples: Int16Array, clockRate: number) {
    const due = position() - writeDelay
    if (due - written >= samplesPerWrite) write(due)
    const at = timeline.place(header, position(), written, wavSampleRate / clockRate)
    if (at < 0 || at + samples.length > written + ringSamples) return
    for (const [index, sample] of samples.entries()) ring[(at + index) % ringSamples] = sample
  }

  /** Copies the samples first: the ring is used while the disk writes. Silence longer than the ring becomes a hole in the file. */
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
    writing = writing
      .then(async () => void (await file.write(octets, 0, octets.length, at)))
      .catch(noteFailure)
  }

  const noteFailure = (error: unknown) => {
    failure ??= error
  }

  return {
    add,
    /** Throws if the file could not be written completely. */
    async close() {
      write(position())
      await writing
      await file.truncate(wavHeaderLength + written * bytesPerSample).catch(noteFailure)
      await file.write(wavHeader(written, 1), 0, wavHeaderLength, 0).catch(noteFailure)
      await file.close()
      if (failure !== undefined) throw new Error(`${path} could not be written`, { cause: failure })
    },
  }
}
