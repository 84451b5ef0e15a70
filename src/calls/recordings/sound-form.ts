/**
 * A recording in the form that a listener wants (D286): one channel with both parties, or two with the caller first. It is
 * converted while it is read, so that ranges work as on the stored file.
 */
import { Readable } from 'node:stream'
import { wavHeader, wavHeaderLength } from '../../engine/media/sound/wav.ts'
import type { ByteRange, StoredRecording } from '../../recordings/port.ts'

/** `isSwapped`: the right channel of the stored file comes first. */
export type SoundForm = { channels: 1 | 2; isSwapped: boolean }

const sampleBytes = 2
/** Of the stored file: 16 bits, left and right. */
const storedFrame = 2 * sampleBytes

/** `stored` itself if it has the form already. */
export function inForm<T extends StoredRecording>(stored: T, { channels, isSwapped }: SoundForm): T {
  if (channels === 2 && !isSwapped) return stored
  const frames = Math.max(0, Math.floor((stored.bytes - wavHeaderLength) / storedFrame))
  const frameBytes = channels * sampleBytes
  const bytes = wavHeaderLength + frames * frameBytes
  const header = wavHeader(frames, channels)
  const convert = channels === 1 ? mix : swap

  function read({ from, to }: ByteRange = { from: 0, to: bytes - 1 }): Readable {
    const head = header.subarray(from, to + 1)
    const [first, last] = [Math.max(0, from - wavHeaderLength), to - wavHeaderLength]
    if (last < first) {
      void stored.close()
      return Readable.from([head])
    }
    const [firstFrame, lastFrame] = [Math.floor(first / frameBytes), Math.floor(last / frameBytes)]
    const source = stored.read({
      from: wavHeaderLength + firstFrame * storedFrame,
      to: wavHeaderLength + (lastFrame + 1) * storedFrame - 1,
    })
    const skipped = first - firstFrame * frameBytes
    return Readable.from(converted(source, head, { convert, skipped, left: last - first + 1 }))
  }

  return { ...stored, bytes, read }
}

type Conversion = { convert: (frames: Buffer) => Buffer; skipped: number; left: number }

async function* converted(source: Readable, head: Buffer, { convert, ...cut }: Conversion) {
  let { skipped, left } = cut
  let rest: Buffer = Buffer.alloc(0)
  if (head.length > 0) yield head
  try {
    for await (const chunk of source) {
      const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : (chunk as Buffer)
      const whole = joined.length - (joined.length % storedFrame)
      rest = joined.subarray(whole)
      const out = convert(joined.subarray(0, whole))
      const part = out.subarray(skipped, skipped + left)
      skipped -= Math.min(skipped, out.length)
      left -= part.length
      if (part.length > 0) yield part
    }
  } finally {
    source.destroy()
  }
}

function swap(frames: Buffer): Buffer {
  const swapped = Buffer.allocUnsafe(frames.length)
  for (let at = 0; at < frames.length; at += storedFrame) {
    swapped.writeInt16LE(frames.readInt16LE(at + sampleBytes), at)
    swapped.writeInt16LE(frames.readInt16LE(at), at + sampleBytes)
  }
  return swapped
}

/** The sum of both parties, limited to what a sample can hold: they rarely talk at once. */
function mix(frames: Buffer): Buffer {
  const mixed = Buffer.allocUnsafe(frames.length / 2)
  for (let at = 0; at < frames.length; at += storedFrame) {
    const sum = frames.readInt16LE(at) + frames.readInt16LE(at + sampleBytes)
    mixed.writeInt16LE(Math.max(-32_768, Math.min(32_767, sum)), at / 2)
  }
  return mixed
}
