/** One channel of a recording, as long as its header says. */
import { wavHeaderLength } from '../sound/wav.ts'

export function channelOf(file: Buffer, channel: 0 | 1): Int16Array {
  const bytes = file.readUInt32LE(40)
  if (wavHeaderLength + bytes > file.length) throw new Error('the header says more than the file has')
  return Int16Array.from({ length: bytes / 4 }, (_, frame) =>
    file.readInt16LE(wavHeaderLength + 4 * frame + 2 * channel),
  )
}
