/**
 * Caches what was read from the database until it changes. A process drops what it changes itself at once, and what
 * another process changed when the notice of it arrives. While notices may be missed, nothing is cached; what was cached
 * before can still be read as `lastKnown`.
 */
import type { Clock } from '../../kit/clock.ts'
import type { Notices } from './notices.ts'

type Options<V> = {
  notices: Pick<Notices, 'connected' | 'onGap' | 'onConnected'>
  clock: Clock
  lifetimeMs: number
  maxEntries: number
  /** How many keys are cached that have no value. They are kept apart, so that guessed keys evict no entry. */
  maxMisses?: number
  /** Whose value it is, where values are invalidated by their owner. */
  ownerOf?: (value: V) => number
}

type Entry<V> = { value: V; expiresAt: number }

export function createNotifiedCache<V>(options: Options<V>) {
  const { notices, clock, lifetimeMs, maxEntries, maxMisses = 0, ownerOf } = options
  let entries = new Map<string, Entry<V>>()
  /** As they were when notices were lost, until they arrive again. */
  let beforeGap = new Map<string, Entry<V>>()
  const misses = new Map<string, Entry<undefined>>()
  const keysOf = new Map<number, Set<string>>()
  /** Counts invalidations: a value whose reading began before one may be stale, and is not cached. */
  let invalidations = 0

  notices.onGap(() => {
    // Each attempt to connect that fails is another gap.
    if (entries.size > 0) beforeGap = entries
    clear()
  })
  notices.onConnected(() => {
    beforeGap = new Map()
  })

  /** Undefined if the key is not cached; with an undefined value if it is known to have none. */
  function get(key: string): { value: V | undefined } | undefined {
    return fresh(entries.get(key)) ?? fresh(misses.get(key))
  }

  /** The value that was read last, however old: for a database that does not answer. */
  function lastKnown(key: string): V | undefined {
    return (entries.get(key) ?? beforeGap.get(key))?.value
  }

  function fresh<T>(entry: Entry<T> | undefined): Entry<T> | undefined {
    return entry && entry.expiresAt > clock.now().getTime() ? entry : undefined
  }

  async function load(key: string, read: () => Promise<V | undefined>): Promise<V | undefined> {
    const before = invalidations
    // If it fails, what was known stays known.
    const value = await read()
    drop(key)
    if (notices.connected() && invalidations === before) add(key, value)
    return value
  }

  function add(key: string, value: V | undefined) {
    drop(key)
    const expiresAt = clock.now().getTime() + lifetimeMs
    if (value !== undefined) {
      if (entries.size >= maxEntries) dropOldest(entries)
      entries.set(key, { value, expiresAt })
      if (ownerOf) addToOwner(ownerOf(value), key)
    } else if (maxMisses > 0) {
      if (misses.size >= maxMisses) dropOldest(misses)
      misses.set(key, { value: undefined, expiresAt })
    }
  }

  function addToOwner(owner: number, key: string) {
    const keys = keysOf.get(owner)
    if (keys) keys.add(key)
    else keysOf.set(owner, new Set([key]))
  }

  function dropOldest(map: Map<string, unknown>) {
    const [oldest] = map.keys()
    if (oldest !== undefined) drop(oldest)
  }

  function drop(key: string) {
    misses.delete(key)
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    if (ownerOf) dropFromOwner(ownerOf(entry.value), key)
  }

  function dropFromOwner(owner: number, key: string) {
    const keys = keysOf.get(owner)
    keys?.delete(key)
    if (keys?.size === 0) keysOf.delete(owner)
  }

  /** After the commit that changed the values, or when its notice arrives. */
  function invalidate(keys: Iterable<string>) {
    invalidations += 1
    for (const key of keys) {
      drop(key)
      beforeGap.delete(key)
    }
  }

  function invalidateOwner(owner: number) {
    invalidate(keysOf.get(owner) ?? [])
    for (const [key, { value }] of beforeGap) if (ownerOf?.(value) === owner) beforeGap.delete(key)
  }

  function clear() {
    invalidations += 1
    entries = new Map()
    misses.clear()
    keysOf.clear()
  }

  return { get, lastKnown, load, invalidate, invalidateOwner }
}
