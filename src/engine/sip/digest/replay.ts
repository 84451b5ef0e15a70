/** Remembers which counts of a nonce were used, so that what was overheard cannot be sent again. */

/** Requests over UDP overtake each other; a count this far behind the highest may still come, once. */
const reach = 31

/**
 * Holds at most `most` nonces. Where one had to be forgotten, every nonce as old as it and unknown is refused:
 * its user is asked to sign anew, and nobody gets to replay it.
 */
export function createReplayGuard(most: number) {
  const used = new Map<string, { made: number; highest: number; seen: number }>()
  let forgotten = Number.NEGATIVE_INFINITY

  function firstUse(nonce: string, made: number, count: number): boolean {
    const entry = used.get(nonce)
    if (entry) return mark(entry, count)
    if (made <= forgotten || count < 1) return false
    if (used.size >= most) forget()
    // A text of its own: a piece of a message would keep the whole message in memory.
    used.set(Buffer.from(nonce).toString(), { made, highest: count, seen: 1 })
    return true
  }

  function forget() {
    const oldest = used.entries().next().value
    if (!oldest) return
    forgotten = Math.max(forgotten, oldest[1].made)
    used.delete(oldest[0])
  }

  return { firstUse, size: () => used.size }
}

/** Bit n of `seen` stands for the count n below the highest. */
function mark(entry: { highest: number; seen: number }, count: number): boolean {
  const ahead = count - entry.highest
  if (ahead > 0) {
    entry.seen = ahead > reach ? 1 : (entry.seen << ahead) | 1
    entry.highest = count
    return true
  }
  const bit = 1 << -ahead
  if (count < 1 || -ahead > reach || (entry.seen & bit) !== 0) return false
  entry.seen |= bit
  return true
}
