/** A seeded random number generator: the same seed gives the same numbers. */
export function createSeededRandom(seed: number) {
  let state = seed >>> 0

  /** In [0, 1), by mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit: number) => Math.floor(next() * limit)

  function shuffle<T>(items: readonly T[]): T[] {
    const rest = [...items]
    return items.flatMap(() => rest.splice(below(rest.length), 1))
  }

  return { next, below, shuffle, pick: <T>(items: readonly T[]): T | undefined => items[below(items.length)] }
}
export type SeededRandom = ReturnType<typeof createSeededRandom>
