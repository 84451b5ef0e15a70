/**
 * Rings of recordings that are used again. To allocate and free 128 kB for each call leaves holes in the memory of the process,
 * which malloc does not give back: it grew by 40 MB in ten thousand calls.
 */
export function createRingPool(length: number, maxSpare: number) {
  const spare: Int16Array<ArrayBuffer>[] = []

  return {
    /** Silent from end to end. */
    take: (): Int16Array<ArrayBuffer> => spare.pop()?.fill(0) ?? new Int16Array(length),
    /** Nothing may be read from the ring or written to it any more. */
    release(ring: Int16Array<ArrayBuffer>) {
      if (spare.length < maxSpare) spare.push(ring)
    },
  }
}
