/** Encodes sound as Ogg/Opus in a thread: parts of a recording are given in order, each returns what of the file is finished. */
import { createTaskThread } from '../../kit/process/task-thread.ts'
import { createOggOpusEncoder, type OggOpusEncoder } from '../../media/sound/ogg-opus.ts'

export type OpusTask = { encoding: string; channels: 1 | 2; samples: Uint8Array; isLast: boolean }

/** One for the process, because threads take time to start. */
const thread = createTaskThread<OpusTask, Uint8Array>(
  'opus thread',
  new URL('./opus-worker.ts', import.meta.url),
)

/** Parts of whole samples, of 16 bits. */
export async function* encodeOpus(
  parts: AsyncIterable<Uint8Array>,
  channels: 1 | 2,
): AsyncGenerator<Uint8Array> {
  const encoding = crypto.randomUUID()
  for await (const samples of parts) yield await thread.run({ encoding, channels, samples, isLast: false })
  yield await thread.run({ encoding, channels, samples: new Uint8Array(), isLast: true })
}

/** More recordings than are encoded at a time: of a request that failed between two parts its encoder is left. */
const maxEncoders = 16

/** In the thread. */
export function createOpusTasks() {
  const encoders = new Map<string, OggOpusEncoder>()

  return ({ encoding, channels, samples, isLast }: OpusTask): Uint8Array => {
    const encoder = encoders.get(encoding) ?? createOggOpusEncoder(channels)
    encoders.delete(encoding)
    // As the newest.
    encoders.set(encoding, encoder)
    for (const [oldest] of encoders) if (encoders.size > maxEncoders) encoders.delete(oldest)
    const written = encoder.write(new Int16Array(samples.slice().buffer))
    if (!isLast) return written
    encoders.delete(encoding)
    return Buffer.concat([written, encoder.end()])
  }
}
