/** Only one offer/answer exchange at a time, whichever side begins it (RFC 3261, 14; RFC 3264, 4). */

/** `isBlocked` is another reason not to offer: a 2xx of ours that is not acknowledged yet. */
export function createOfferLock(isBlocked: () => boolean) {
  let holder: 'us' | 'peer' | undefined
  const waiting: (() => void)[] = []

  /** Starts our next waiting offer if the lock is free. To be called when `isBlocked` may have changed. */
  function next() {
    if (holder !== undefined || isBlocked()) return
    const run = waiting.shift()
    if (!run) return
    holder = 'us'
    run()
  }

  return {
    holder: () => holder,
    /** Runs when the lock is ours. */
    acquire(run: () => void) {
      waiting.push(run)
      next()
    },
    grantToPeer() {
      holder = 'peer'
    },
    release() {
      holder = undefined
      next()
    },
    next,
    /** Drops our waiting offers. */
    close() {
      waiting.length = 0
    },
  }
}
export type OfferLock = ReturnType<typeof createOfferLock>
