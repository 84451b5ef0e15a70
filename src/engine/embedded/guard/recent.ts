/**
 * Remembers what was lately used, at most `most` of it, without touching anything on each use: half of the room
 * fills up, then becomes the older half, and what was not used since is dropped with the half before.
 */
export function createRecent<Value>(most: number) {
  const half = Math.max(1, Math.floor(most / 2))
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
