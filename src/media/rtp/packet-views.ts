/**
 * The Buffers of one memory that holds one packet after the other, one for each length: a Buffer made for each packet
 * would be garbage at once.
 */
export function createPacketViews(memory: ArrayBuffer, offset = 0): (length: number) => Buffer {
  const views: Buffer[] = []
  return (length) => {
    const known = views[length]
    if (known) return known
    const made = Buffer.from(memory, offset, length)
    views[length] = made
    return made
  }
}
