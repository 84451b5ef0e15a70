/** Keeps which counts of a nonce were used, so that recorded credentials cannot be replayed. */

/** Requests over UDP may be reordered: a count this far below the highest is still accepted, once. */
const windowSize = 31

/**
 * Keeps at most `maxNonces`. After dropping one, every unknown nonce that is as old or older is refused, so that the
 * dropped one cannot be replayed; its user is challenged again.
 */
export function createReplayGuard(maxNonces: number) {
  const used = new Map<string, { createdAt: number; highest: number; seen: number }>()
  let droppedUntil = Number.NEGATIVE_INFINITY

  function firstUse(nonce: string, createdAt: number, count: number): boolean {
    const entry = used.get(nonce)
    if (entry) return mark(entry, count)
    if (createdAt <= droppedUntil || count < 1) return false
    if (used.size >= maxNonces) dropOldest()
    // Copied: a substring would keep the whole message in memory.
    used.set(Buffer.from(nonce).toString(), { createdAt, highest: count, seen: 1 })
    return true
  }

  function dropOldest() {
    const oldest = used.entries().next().value
    if (!oldest) return
    droppedUntil = Math.max(droppedUntil, oldest[1].createdAt)
    used.delete(oldest[0])
  }

  return { firstUse, size: () => used.size }
}

/** Bit n of `seen` is the count that is n below the highest. */
function mark(entry: { highest: number; seen: number }, count: number): boolean {
  const ahead = count - entry.highest
  if (ahead > 0) {
    entry.seen = ahead > windowSize ? 1 : (entry.seen << ahead) | 1
    entry.highest = count
    return true
  }
  const bit = 1 << -ahead
  if (count < 1 || -ahead > windowSize || (entry.seen & bit) !== 0) return false
  entry.seen |= bit
  return true
}
