/**
 * The unparsed bytes of a stream. Every byte is copied and searched a bounded number of times, however small the chunks
 * are.
 */

const minSize = 4_096

export function createWindow() {
  let buffer = Buffer.alloc(0)
  let start = 0
  let end = 0
  let searched = 0

  function add(chunk: Uint8Array) {
    if (buffer.length - end < chunk.length) {
      const grown = Buffer.allocUnsafe(Math.max(minSize, 2 * (end - start + chunk.length)))
      buffer.copy(grown, 0, start, end)
      move()
      buffer = grown
    }
    buffer.set(chunk, end)
    end += chunk.length
  }

  function move() {
    end -= start
    searched = Math.max(0, searched - start)
    start = 0
  }

  /** A view, valid until the next `add`. */
  function take(length: number): Buffer {
    start += length
    return buffer.subarray(start - length, start)
  }

  /** Offset from the start of the window. The search continues where the last one ended. */
  function find(needle: Buffer): number {
    const from = Math.max(start, searched - needle.length + 1)
    const found = buffer.subarray(0, end).indexOf(needle, from)
    searched = found < 0 ? end : found
    return found < 0 ? -1 : found - start
  }

  /** Frees the buffer if it is empty: an idle connection uses no memory. */
  function release() {
    if (start < end) return
    buffer = Buffer.alloc(0)
    start = end = searched = 0
  }

  return {
    add,
    take,
    find,
    release,
    startsWithCrlf: () => end - start >= 2 && buffer[start] === 0x0d && buffer[start + 1] === 0x0a,
    get length() {
      return end - start
    },
  }
}
