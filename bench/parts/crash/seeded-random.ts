/** Chance that can be repeated: the same seed throws the same. */
export function createDice(seed: number) {
  let state = seed >>> 0

  /** From 0 up to 1 (mulberry32). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (most: number) => Math.floor(next() * most)

  function shuffle<T>(items: readonly T[]): T[] {
    const rest = [...items]
    return items.flatMap(() => rest.splice(below(rest.length), 1))
  }

  return { next, below, shuffle, pick: <T>(items: readonly T[]): T | undefined => items[below(items.length)] }
}
export type Dice = ReturnType<typeof createDice>
