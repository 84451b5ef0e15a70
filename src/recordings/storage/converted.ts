/** A stored recording in another format, converted frame by frame while it is read, so that ranges work as on a file. */
import { Readable } from 'node:stream'
import type { ByteRange, StoredRecording } from './port.ts'

/** A header of fixed length, then frames of fixed length. */
type Layout = { headerBytes: number; frameBytes: number }

export type Conversion = {
  stored: Layout
  wanted: Layout
  /** In the wanted format. */
  header(frames: number): Buffer
  /** Converts whole frames. */
  convert(frames: Buffer): Buffer
}

export function convertedRecording<T extends StoredRecording>(recording: T, conversion: Conversion): T {
  const { stored, wanted, header, convert } = conversion
  const frames = Math.max(0, Math.floor((recording.bytes - stored.headerBytes) / stored.frameBytes))
  const bytes = wanted.headerBytes + frames * wanted.frameBytes

  function read({ from, to }: ByteRange = { from: 0, to: bytes - 1 }): Readable {
    const head = header(frames).subarray(from, to + 1)
    const [first, last] = [Math.max(0, from - wanted.headerBytes), to - wanted.headerBytes]
    if (last < first) {
      void recording.close()
      return Readable.from([head])
    }
    const [firstFrame, lastFrame] = [
      Math.floor(first / wanted.frameBytes),
      Math.floor(last / wanted.frameBytes),
    ]
    const source = recording.read({
      from: stored.headerBytes + firstFrame * stored.frameBytes,
      to: stored.headerBytes + (lastFrame + 1) * stored.frameBytes - 1,
    })
    const cut = { skipped: first - firstFrame * wanted.frameBytes, left: last - first + 1 }
    return Readable.from(convertStream(source, head, { convert, frameBytes: stored.frameBytes, ...cut }))
  }

  return { ...recording, bytes, read }
}

type Cut = { convert: Conversion['convert']; frameBytes: number; skipped: number; left: number }

async function* convertStream(source: Readable, head: Buffer, { convert, frameBytes, ...cut }: Cut) {
  let { skipped, left } = cut
  if (head.length > 0) yield head
  try {
    for await (const frames of wholeFrames(source, frameBytes)) {
      const out = convert(frames)
      const part = out.subarray(skipped, skipped + left)
      skipped -= Math.min(skipped, out.length)
      left -= part.length
      if (part.length > 0) yield part
    }
  } finally {
    source.destroy()
  }
}

/** Chunks of a stream, cut at the ends of frames; an incomplete last frame is left out. */
export async function* wholeFrames(
  source: AsyncIterable<Buffer>,
  frameBytes: number,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = joined.length - (joined.length % frameBytes)
    rest = joined.subarray(whole)
    if (whole > 0) yield joined.subarray(0, whole)
  }
}
