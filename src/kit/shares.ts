/**
 * A number of places that keys, such as accounts and addresses, share. A key may take one more while it holds no more than
 * are free: alone it gets half of them, the next key half of the rest, so that no few keys take everything.
 */
type Key = string | number

export function createShares(max: number) {
  const held = new Map<Key, number>()
  let total = 0

  return {
    /** False if there is none for this key. */
    take(key: Key): boolean {
      const own = held.get(key) ?? 0
      if (total >= max || own > max - total) return false
      held.set(key, own + 1)
      total += 1
      return true
    },
    release(key: Key) {
      const own = held.get(key) ?? 0
      if (own === 0) return
      if (own === 1) held.delete(key)
      else held.set(key, own - 1)
      total -= 1
    },
  }
}
