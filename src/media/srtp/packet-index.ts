/**
 * The 48-bit index of a stream's packets: its sequence number with a count of how often that wrapped around (RFC 3711,
 * 3.3.1), and the memory of indices already used (3.3.2).
 */
import { sequenceStep } from '../rtp/rtp.ts'

const windowLength = 128

export function createPacketIndex() {
  let highest = -1
  /** By index modulo the length of the window. */
  const seen = new Float64Array(windowLength).fill(-1)

  return {
    /** The index that a sequence number means: the nearest to the highest one. Negative if there is none. */
    guess(sequence: number): number {
      return highest < 0 ? sequence : highest + sequenceStep(highest & 0xffff, sequence)
    },
    /** Whether it was used before, or is too old to be known. */
    isUsed(index: number): boolean {
      return index < 0 || index <= highest - windowLength || seen[index % windowLength] === index
    },
    use(index: number): void {
      seen[index % windowLength] = index
      if (index > highest) highest = index
    },
  }
}
export type PacketIndex = ReturnType<typeof createPacketIndex>
