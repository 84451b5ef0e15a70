/** The RTP ports we may use, in pairs: an even one and the next. A pair is with one call at a time. */
export type PortRange = { from: number; to: number }

export function createPortPool({ from, to }: PortRange) {
  // First in, first out: what a past call's peer still sends finds a closed port for as long as possible.
  const free = new Set<number>()
  for (let port = from + (from % 2); port + 1 <= to; port += 2) free.add(port)
  if (free.size < 2) throw new RangeError('the range of RTP ports has no room for one call')

  return {
    /** A pair by its even port; undefined when they are used up. */
    take(): number | undefined {
      for (const port of free) {
        free.delete(port)
        return port
      }
      return undefined
    },
    giveBack(port: number) {
      free.add(port)
    },
    free: () => free.size,
  }
}
