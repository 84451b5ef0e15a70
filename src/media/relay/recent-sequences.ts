/** The sequence numbers of a stream that came last, so that repeated packets are recognised. */

/** About ten seconds of packets of 20 ms. A packet that is older begins a new count. */
export const maxRecent = 512

export function createRecentSequences() {
  /** By the remainder of the sequence number. */
  const seen = new Int32Array(maxRecent).fill(-1)

  return {
    clear: () => void seen.fill(-1),
    /** False if it came before. */
    add(sequence: number): boolean {
      if (seen[sequence % maxRecent] === sequence) return false
      seen[sequence % maxRecent] = sequence
      return true
    },
  }
}
