/** One negotiation at a time, whoever begins it (RFC 3261, 14; RFC 3264, 4). */

/** `busy` is whatever else keeps us from beginning: a 2xx of ours that is not acknowledged yet. */
export function createOfferLock(busy: () => boolean) {
  let holder: 'us' | 'them' | undefined
  const waiting: (() => void)[] = []

  function next() {
    if (holder !== undefined || busy()) return
    const run = waiting.shift()
    if (!run) return
    holder = 'us'
    run()
  }

  return {
    holder: () => holder,
    /** Runs when it is our turn. */
    await(run: () => void) {
      waiting.push(run)
      next()
    },
    give() {
      holder = 'them'
    },
    leave() {
      holder = undefined
      next()
    },
    /** Something that kept it busy is over. */
    next,
    close() {
      waiting.length = 0
    },
  }
}
export type OfferLock = ReturnType<typeof createOfferLock>
