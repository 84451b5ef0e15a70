/** The free RTP ports, in pairs: an even one for RTP and the next for RTCP. A pair belongs to one call at a time. */
export type PortRange = { from: number; to: number }

export function createPortPool({ from, to }: PortRange) {
  // First in, first out: late packets of an ended call find its port closed for as long as possible.
  const free = new Set<number>()
  for (let port = from + (from % 2); port + 1 <= to; port += 2) free.add(port)
  if (free.size < 2) throw new RangeError('the range of RTP ports is too small for one call')

  return {
    /** The even port of a pair; undefined if none is free. */
    take(): number | undefined {
      for (const port of free) {
        free.delete(port)
        return port
      }
      return undefined
    },
    release(port: number) {
      free.add(port)
    },
    free: () => free.size,
  }
}
