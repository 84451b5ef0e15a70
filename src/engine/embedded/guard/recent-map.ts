/**
 * A map of the most recently used entries, at most `max`, in two generations: when the newer one is full it becomes the
 * older one, and entries of the older one that were not used again are dropped.
 */
export function createRecentMap<Value>(max: number) {
  const half = Math.max(1, Math.floor(max / 2))
  let newer = new Map<string, Value>()
  let older = new Map<string, Value>()

  function set(key: string, value: Value) {
    if (newer.size >= half && !newer.has(key)) {
      older = newer
      newer = new Map()
    }
    newer.set(key, value)
    older.delete(key)
  }

  function get(key: string): Value | undefined {
    const value = newer.get(key)
    if (value !== undefined || older.size === 0) return value
    const found = older.get(key)
    if (found !== undefined) set(key, found)
    return found
  }

  return {
    get,
    set,
    delete(key: string) {
      newer.delete(key)
      older.delete(key)
    },
    size: () => newer.size + older.size,
  }
}
